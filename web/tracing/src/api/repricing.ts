import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { previewRepricing, reprice } from '@assay/contract/repricing.ts'
import { queryOptions, skipToken, useMutation } from '@tanstack/react-query'
import { useInvalidateJobs } from './jobs.ts'

interface TimeSpan {
  readonly from: string
  readonly to: string
}

export interface PreviewRequest extends TimeSpan {
  readonly requestedAtMs: number
}

/** Reports what a recalculation would change; nothing is saved. */
export function previewQuery(projectId: string, request: PreviewRequest | undefined) {
  return queryOptions({
    queryKey: ['repricing-preview', projectId, request] as const,
    queryFn:
      request === undefined
        ? skipToken
        : ({ signal }) => {
            const { from, to } = request
            const args = { params: { projectId }, body: { from, to } }
            return call(base, previewRepricing, args, { signal })
          },
    // Examines many spans, so it is only repeated after a recalculation.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

export function useReprice(projectId: string) {
  const onSettled = useInvalidateJobs(projectId, 'repricing')
  return useMutation({
    mutationFn: ({ from, to }: TimeSpan) =>
      call(base, reprice, { params: { projectId }, body: { from, to } }),
    onSettled,
  })
}
