import { base } from '@assay/account/api/base.ts'
import { ApiError, call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import {
  createTracingKey,
  listTracingKeys,
  revokeTracingKey,
  type TracingKey,
} from '@assay/contract/tracing-keys.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { rememberKey } from './revealed-keys.ts'

export function tracingKeysQuery(projectId: string) {
  return queryOptions({
    queryKey: ['tracing-keys', projectId],
    queryFn: ({ signal }) => call(base, listTracingKeys, { params: { projectId } }, { signal }),
  })
}

/** Identifies a key without revealing it. */
export function formatKey({ key_prefix, key_hint }: TracingKey): string {
  return `${key_prefix}…${key_hint}`
}

export function isActiveKey({ revoked_at }: TracingKey): boolean {
  return revoked_at === null
}

/** A name that tells a key from others: the date of its creation. */
export function defaultKeyName(nowMs: number): string {
  return `Key from ${new Date(nowMs).toLocaleDateString('en-US', { month: 'short', day: 'numeric' })}`
}

/** Creates a key and remembers it for the snippets. */
export function useCreateKey(projectId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Args<typeof createTracingKey>['body']) =>
      call(base, createTracingKey, { params: { projectId }, body }),
    onSuccess: ({ key }) => {
      rememberKey(projectId, key)
      void queryClient.invalidateQueries({ queryKey: tracingKeysQuery(projectId).queryKey })
    },
  })
}

export function useRevokeKey(projectId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (keyId: string) =>
      call(base, revokeTracingKey, { params: { projectId, keyId } }).catch(explainRevocation),
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: tracingKeysQuery(projectId).queryKey }),
  })
}

/** The service responds with 500 when the key is already revoked. */
function explainRevocation(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 500) throw error
  throw new Error('The key could not be revoked. Check in the list whether it already is.')
}
