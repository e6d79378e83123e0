import { call } from '@assay/contract/client.ts'
import {
  createTracingKey,
  listTracingKeys,
  revokeTracingKey,
} from '@assay/contract/tracing-keys.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'
import { rememberKey } from './revealed-keys.ts'

export function tracingKeysQuery(projectId: string) {
  return queryOptions({
    queryKey: ['tracing-keys', projectId],
    queryFn: ({ signal }) => call(base, listTracingKeys, { params: { projectId } }, { signal }),
  })
}

/** Creates a key and remembers it for the snippets of this page. */
export function useCreateKey(projectId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (environment: 'live' | 'test') =>
      call(base, createTracingKey, { params: { projectId }, body: { environment } }),
    onSuccess: ({ key }) => {
      rememberKey(projectId, key)
      void queryClient.invalidateQueries({ queryKey: tracingKeysQuery(projectId).queryKey })
    },
  })
}

export function useRevokeKey(projectId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (keyId: string) => call(base, revokeTracingKey, { params: { projectId, keyId } }),
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: tracingKeysQuery(projectId).queryKey }),
  })
}
