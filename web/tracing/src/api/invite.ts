import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { acceptInvite, readInvite } from '@assay/contract/members.ts'
import { discoverSso } from '@assay/contract/sso.ts'
import { queryOptions, useMutation } from '@tanstack/react-query'

export type InviteDetails = DataOf<typeof readInvite>

/** The organization and role of an invite, by its token. */
export function inviteQuery(token: string) {
  return queryOptions({
    queryKey: ['invite', token],
    queryFn: ({ signal }) => call(base, readInvite, { body: { invite_token: token } }, { signal }),
  })
}

/** How the invited address signs in. */
export function discoveryQuery(email: string) {
  return queryOptions({
    queryKey: ['discovery', email],
    queryFn: ({ signal }) => call(base, discoverSso, { body: { email } }, { signal }),
    staleTime: 60_000,
  })
}

export function useAcceptInvite(token: string, onJoined: (orgId: string) => Promise<void>) {
  return useMutation({
    mutationFn: () => call(base, acceptInvite, { body: { invite_token: token } }),
    onSuccess: ({ id }) => onJoined(id),
  })
}
