import { base } from '@assay/account/api/base.ts'
import { call, callWithMeta } from '@assay/contract/client.ts'
import {
  type Account,
  addPlatformAccess,
  grantSuperAdmin,
  listAccounts,
  listPlatformAccess,
  listSuperAdmins,
  removePlatformAccess,
  revokeSuperAdmin,
  updateAccount,
} from '@assay/contract/platform.ts'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'

export const platformAccessQuery = queryOptions({
  queryKey: ['platform', 'access'],
  queryFn: ({ signal }) => call(base, listPlatformAccess, {}, { signal }),
})

export const superAdminsQuery = queryOptions({
  queryKey: ['platform', 'super-admins'],
  queryFn: ({ signal }) => call(base, listSuperAdmins, {}, { signal }),
})

interface AccountsPage {
  readonly accounts: readonly Account[]
  readonly nextCursor: string | null
}

/** The accounts whose name or address contains the text. */
export function accountsQuery(searchText: string) {
  return infiniteQueryOptions({
    queryKey: ['platform', 'accounts', searchText],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }): Promise<AccountsPage> => {
      const query = {
        ...(searchText === '' ? {} : { q: searchText }),
        ...(cursor === undefined ? {} : { cursor }),
      }
      const { data, meta } = await callWithMeta(base, listAccounts, { query }, { signal })
      return { accounts: data, nextCursor: meta.cursor }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ accounts }) => accounts),
  })
}

export function useApprove() {
  const invalidate = useInvalidatePlatform()
  return useMutation({
    mutationFn: (body: { readonly pattern: string }) => call(base, addPlatformAccess, { body }),
    onSuccess: invalidate,
  })
}

export function useRevokeAccess() {
  const invalidate = useInvalidatePlatform()
  return useMutation({
    mutationFn: (accessId: string) => call(base, removePlatformAccess, { params: { accessId } }),
    onSettled: invalidate,
  })
}

export function useGrantSuperAdmin() {
  const invalidate = useInvalidatePlatform()
  return useMutation({
    mutationFn: (userId: string) => call(base, grantSuperAdmin, { params: { userId } }),
    onSettled: invalidate,
  })
}

export function useRevokeSuperAdmin() {
  const invalidate = useInvalidatePlatform()
  return useMutation({
    mutationFn: (userId: string) => call(base, revokeSuperAdmin, { params: { userId } }),
    onSettled: invalidate,
  })
}

export function useDisable() {
  const invalidate = useInvalidatePlatform()
  return useMutation({
    mutationFn: ({ userId, disabled }: { readonly userId: string; readonly disabled: boolean }) =>
      call(base, updateAccount, { params: { userId }, body: { disabled } }),
    onSettled: invalidate,
  })
}

function useInvalidatePlatform(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['platform'] })
}
