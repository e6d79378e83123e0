import { ApiError, call } from '@assay/contract/client.ts'
import { listTraces, readTrace, type Trace } from '@assay/contract/traces.ts'
import { queryOptions } from '@tanstack/react-query'
import { base } from './base.ts'

const listed = 6
const longestName = 512

/**
 * The traces whose ID starts with the text, then those with the text in their name, each the newest; for empty
 * text, the newest of all.
 */
export function foundTracesQuery(projectId: string, text: string) {
  return queryOptions({
    queryKey: ['found-traces', projectId, text],
    queryFn: async ({ signal }): Promise<readonly Trace[]> => {
      const query = text === '' ? {} : { name: text.slice(0, longestName) }
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

/** IDs have no whitespace. Shorter text would match too many. */
function isIdPrefix(text: string): boolean {
  return /^\S{6,128}$/.test(text)
}

/** The trace with exactly this ID comes first. */
async function findById(
  projectId: string,
  prefix: string,
  signal: AbortSignal,
): Promise<readonly Trace[]> {
  const args = { params: { projectId }, query: { trace_id_prefix: prefix, limit: listed } }
  const traces = await call(base, listTraces, args, { signal })
  const isExact = ({ trace_id }: Trace) => trace_id === prefix
  const exact =
    traces.find(isExact) ??
    (traces.length === listed ? await findTrace(projectId, prefix, signal) : undefined)
  return exact === undefined ? traces : [exact, ...traces.filter((trace) => !isExact(trace))]
}

async function findTrace(
  projectId: string,
  traceId: string,
  signal: AbortSignal,
): Promise<Trace | undefined> {
  const args = { params: { projectId, traceId }, query: { payload: 'none' as const } }
  try {
    const { spans: _, ...trace } = await call(base, readTrace, args, { signal })
    return trace
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}
