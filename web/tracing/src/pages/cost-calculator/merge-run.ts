import type { CostRun } from '@assay/contract/cost-runs.ts'
import { type LiveRun, resultKey } from '../../api/live-runs.ts'

/** A run with what arrived since it was read: known scenarios and results are replaced, others added. */
export function mergeRun(run: CostRun, live: LiveRun | undefined): CostRun {
  if (live === undefined || live.scenarios.size + live.results.size === 0) return run
  return {
    ...run,
    scenarios: merge(run.scenarios, live.scenarios, ({ id }) => id),
    results: merge(run.results, live.results, resultKey),
  }
}

function merge<Item>(
  known: readonly Item[],
  arrived: ReadonlyMap<string, Item>,
  keyOf: (item: Item) => string,
): Item[] {
  const keys = new Set(known.map(keyOf))
  return [
    ...known.map((item) => arrived.get(keyOf(item)) ?? item),
    ...[...arrived].filter(([key]) => !keys.has(key)).map(([, item]) => item),
  ]
}
