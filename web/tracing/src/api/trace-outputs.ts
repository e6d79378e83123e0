import { base } from '@assay/account/api/base.ts'
import { callWithMeta } from '@assay/contract/client.ts'
import { type ListedSpan, readTrace } from '@assay/contract/traces.ts'
import { queryOptions } from '@tanstack/react-query'

/** Reads a trace with its bodies, page by page, and keeps only the result of `of` for each page. */
export function traceBodiesQuery<T>(
  projectId: string,
  traceId: string,
  name: string,
  of: (spans: readonly ListedSpan[]) => Iterable<T>,
) {
  return queryOptions({
    queryKey: ['trace-bodies', projectId, traceId, name],
    queryFn: async ({ signal }): Promise<readonly T[]> => {
      const results: T[] = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const query = { payload: 'full' as const, ...(cursor === undefined ? {} : { cursor }) }
        const args = { params: { projectId, traceId }, query }
        const { data, meta } = await callWithMeta(base, readTrace, args, { signal })
        for (const one of of(data.spans)) results.push(one)
        cursor = meta.cursor
      }
      return results
    },
    structuralSharing: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}
