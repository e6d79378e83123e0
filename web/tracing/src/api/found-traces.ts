import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import { listTraces, type Trace, type TraceFilters } from '@assay/contract/traces.ts'
import { queryOptions } from '@tanstack/react-query'

const listed = 6
const longestName = 512

/**
 * The traces whose ID starts with the text, then those with the text in their name, each the newest; for empty
 * text, the newest of all. Filters do not apply to IDs.
 */
export function foundTracesQuery(projectId: string, text: string, filters: TraceFilters = {}) {
  return queryOptions({
    queryKey: ['found-traces', projectId, text, filters],
    queryFn: async ({ signal }): Promise<readonly Trace[]> => {
      const query = text === '' ? filters : { ...filters, name: text.slice(0, longestName) }
      const [named, identified] = await Promise.all([
        call(
          base,
          listTraces,
          { params: { projectId }, query: { ...query, limit: listed } },
          { signal },
        ),
        isIdPrefix(text) ? findById(projectId, text, signal) : [],
      ])
      const found = new Map([...identified, ...named].map((trace) => [trace.trace_id, trace]))
      return [...found.values()]
    },
    retry: false,
  })
}

/** The same without simulations, which calls of judges are recorded as. */
export function recentTracesQuery(projectId: string, text = '') {
  return foundTracesQuery(projectId, text, { mode: 'live' })
}

/** IDs have no whitespace. Shorter text would match too many. */
function isIdPrefix(text: string): boolean {
  return /^\S{6,128}$/.test(text)
}

/** The trace with exactly this ID comes first. Hexadecimal IDs are found in upper and lower case. */
async function findById(
  projectId: string,
  prefix: string,
  signal: AbortSignal,
): Promise<readonly Trace[]> {
  const isHexadecimal = /^[0-9a-f]+$/i.test(prefix)
  const prefixes = new Set([prefix, ...(isHexadecimal ? [prefix.toLowerCase()] : [])])
  // As many as possible, because the trace with exactly this ID may be an old one.
  const limit = limits.tracesPageMax.value
  const found = await Promise.all(
    Array.from(prefixes, (trace_id_prefix) => {
      const args = { params: { projectId }, query: { trace_id_prefix, limit } }
      return call(base, listTraces, args, { signal })
    }),
  )
  const isExact = ({ trace_id }: Trace) => prefixes.has(trace_id)
  const traces = found.flat()
  return [...traces.filter(isExact), ...traces.filter((one) => !isExact(one))].slice(0, listed)
}
