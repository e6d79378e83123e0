import type { RunningService } from '../e2e/running-service.ts'

/** How far the search index is behind, in seconds. */
export async function readSearchLag({ origin }: RunningService): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^assay_search_index_lag_seconds (\S+)/m.exec(text)?.[1] ?? 0)
}

/** Resolves when the search index is at most `lagSeconds` behind. */
export async function whenSearchable(at: RunningService, lagSeconds: number): Promise<void> {
  while ((await readSearchLag(at)) > lagSeconds) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
