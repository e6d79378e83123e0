import { base } from '@assay/account/api/base.ts'
import { directoryQuery } from '@assay/account/api/projects.ts'
import type { Role } from '@assay/contract/access.ts'
import { call, callWithMeta } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  changeRole,
  inviteMember,
  listInvites,
  listMembers,
  type Member,
  removeMember,
  revokeInvite,
  verifyMember,
} from '@assay/contract/members.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** All members of an organization, by name. */
export function membersQuery(orgId: string) {
  return queryOptions({
    queryKey: ['members', orgId],
    queryFn: async ({ signal }) => {
      const members = await loadMembers(orgId, signal)
      return members.sort((one, other) => collator.compare(one.name, other.name))
    },
  })
}

const collator = new Intl.Collator('en', { numeric: true })

/** Loads all pages. */
async function loadMembers(orgId: string, signal: AbortSignal): Promise<Member[]> {
  const members: Member[] = []
  let cursor: string | null | undefined
  do {
    const query = { limit: limits.listPageMax.value, ...(cursor ? { cursor } : {}) }
    const page = await callWithMeta(base, listMembers, { params: { orgId }, query }, { signal })
    members.push(...page.data)
    cursor = page.meta.cursor
  } while (cursor !== null)
  return members
}

export function invitesQuery(orgId: string) {
  return queryOptions({
    queryKey: ['invites', orgId],
    queryFn: ({ signal }) => call(base, listInvites, { params: { orgId } }, { signal }),
  })
}

export interface RoleChange {
  readonly userId: string
  readonly role: Role
}

export function useChangeRole(orgId: string) {
  const invalidate = useInvalidatePeople(orgId)
  return useMutation({
    mutationFn: ({ userId, role }: RoleChange) =>
      call(base, changeRole, { params: { orgId, userId }, body: { role } }),
    onSettled: invalidate,
  })
}

export function useRemoveMember(orgId: string) {
  const invalidate = useInvalidatePeople(orgId)
  return useMutation({
    mutationFn: (userId: string) => call(base, removeMember, { params: { orgId, userId } }),
    onSettled: invalidate,
  })
}

export function useVerifyMember(orgId: string) {
  const invalidate = useInvalidatePeople(orgId)
  return useMutation({
    mutationFn: (userId: string) => call(base, verifyMember, { params: { orgId, userId } }),
    onSettled: invalidate,
  })
}

export interface Invitation {
  readonly email: string
  readonly role: Role
}

/** Adds the person or invites the address. The link in the response is available only once. */
export function useInvite(orgId: string) {
  const invalidate = useInvalidatePeople(orgId)
  return useMutation({
    mutationFn: (body: Invitation) => call(base, inviteMember, { params: { orgId }, body }),
    onSuccess: invalidate,
  })
}

export function useRevokeInvite(orgId: string) {
  const invalidate = useInvalidatePeople(orgId)
  return useMutation({
    mutationFn: (inviteId: string) => call(base, revokeInvite, { params: { orgId, inviteId } }),
    onSettled: invalidate,
  })
}

/** Refetches members, invites, and one's own role, which may have changed. */
function useInvalidatePeople(orgId: string): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    void queryClient.invalidateQueries({ queryKey: invitesQuery(orgId).queryKey })
    void queryClient.invalidateQueries({ queryKey: directoryQuery.queryKey })
    await queryClient.invalidateQueries({ queryKey: membersQuery(orgId).queryKey })
  }
}
