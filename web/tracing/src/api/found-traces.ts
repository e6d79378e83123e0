import { ApiError, call, callWithMeta } from '@assay/contract/client.ts'
import { listTraces, readTrace, type Trace } from '@assay/contract/traces.ts'
import { queryOptions } from '@tanstack/react-query'
import { base } from './base.ts'

const listed = 6
const longestName = 512

/**
 * The trace with this ID, then the newest traces with the text in their name; for empty text, the newest of
 * all.
 */
export function foundTracesQuery(projectId: string, text: string) {
  return queryOptions({
    queryKey: ['found-traces', projectId, text],
    queryFn: async ({ signal }): Promise<readonly Trace[]> => {
      const name = text === '' ? {} : { name: text.slice(0, longestName) }
      const args = { params: { projectId }, query: { ...name, limit: listed } }
      const [{ data }, exact] = await Promise.all([
        callWithMeta(base, listTraces, args, { signal }),
        looksLikeId(text) ? findTrace(projectId, text, signal) : undefined,
      ])
      const others = data.filter(({ trace_id }) => trace_id !== exact?.trace_id)
      return exact === undefined ? data : [exact, ...others]
    },
    retry: false,
  })
}

/** IDs have no whitespace, and are long or contain a digit: other text is not looked up as an ID. */
function looksLikeId(text: string): boolean {
  return /^[\w.:-]{6,128}$/.test(text) && /\d/.test(text)
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
