import { base } from '@assay/account/api/base.ts'
import { callWithMeta } from '@assay/contract/client.ts'
import { listTraces, type Trace, type TraceFilters } from '@assay/contract/traces.ts'
import { queryOptions } from '@tanstack/react-query'

/*
 * Related traces: the previous and next one in the session, and earlier ones of the same name.
 */

export interface Neighbors {
  /** The latest trace of the session that started before this one. */
  readonly previous: Trace | undefined
  readonly next: Trace | undefined
}

const pageLimit = 100
/** In sessions with more traces than this many pages, the oldest ones have no "next". */
const maxPages = 10

/** The previous and next trace of the same session. */
export function neighborsQuery({ project_id, trace_id, session_id, started_at }: Trace) {
  return queryOptions({
    queryKey: ['neighbors', project_id, trace_id, session_id],
    queryFn: async ({ signal }): Promise<Neighbors> => {
      const filters = session_id === null ? {} : { session_id }
      const [before] = (await page(project_id, { ...filters, to: started_at }, 1, signal)).traces
      let next: Trace | undefined
      let cursor: string | undefined
      for (let at = 0; at < maxPages; at += 1) {
        const from = { ...filters, from: started_at }
        const { traces, nextCursor } = await page(project_id, from, pageLimit, signal, cursor)
        const here = traces.findIndex((one) => one.trace_id === trace_id)
        // Several traces may have the same start time: those listed after this one come before it.
        if (here !== -1) {
          return { previous: traces[here + 1] ?? before, next: traces[here - 1] ?? next }
        }
        next = traces.at(-1) ?? next
        if (nextCursor === null) break
        cursor = nextCursor
      }
      return { previous: before, next: undefined }
    },
    enabled: session_id !== null,
    staleTime: 30_000,
  })
}

/** The latest traces of the same name that started before this one, newest first. */
export function earlierLikeQuery(trace: Trace, count: number) {
  const { project_id, trace_id, root_name, started_at } = trace
  return queryOptions({
    queryKey: ['earlier-like', project_id, trace_id, count],
    queryFn: async ({ signal }): Promise<readonly Trace[]> => {
      const filters = { to: started_at, ...(root_name === '' ? {} : { name: root_name }) }
      const { traces } = await page(project_id, filters, pageLimit, signal)
      // The filter also matches parts of names, and names of child spans.
      return traces.filter((one) => one.root_name === root_name).slice(0, count)
    },
    staleTime: 30_000,
  })
}

async function page(
  projectId: string,
  filters: TraceFilters,
  limit: number,
  signal: AbortSignal,
  cursor?: string,
) {
  const query = { ...filters, limit, ...(cursor === undefined ? {} : { cursor }) }
  const { data, meta } = await callWithMeta(
    base,
    listTraces,
    { params: { projectId }, query },
    { signal },
  )
  return { traces: data, nextCursor: meta.cursor }
}
