import { base } from '@assay/account/api/base.ts'
import { sessionQuery } from '@assay/account/api/session.ts'
import { call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import {
  changePassword,
  listSessions,
  revokeOtherSessions,
  revokeSession,
  updateProfile,
} from '@assay/contract/profile.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** The active sessions of the person. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(base, listSessions, {}, { signal }),
})

export function useRename() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { readonly name: string }) => call(base, updateProfile, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}

export function useChangePassword() {
  const invalidate = useInvalidateSessions()
  return useMutation({
    mutationFn: (body: Args<typeof changePassword>['body']) => call(base, changePassword, { body }),
    onSuccess: invalidate,
  })
}

export function useEndSession() {
  const invalidate = useInvalidateSessions()
  return useMutation({
    mutationFn: (sessionId: string) => call(base, revokeSession, { params: { sessionId } }),
    onSettled: invalidate,
  })
}

export function useEndOtherSessions() {
  const invalidate = useInvalidateSessions()
  return useMutation({
    mutationFn: () => call(base, revokeOtherSessions, {}),
    onSettled: invalidate,
  })
}

function useInvalidateSessions(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
}
