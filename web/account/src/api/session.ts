import { ApiError, call } from '@assay/contract/client.ts'
import { checkSetupToken, readSetup } from '@assay/contract/sign-in.ts'
import { discoverSso } from '@assay/contract/sso.ts'
import { type QueryClient, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { base } from './base.ts'
import { fetchSession, isSignedOut } from './first-requests.ts'
import { mayBeSignedIn } from './signed-in-user.ts'

/** The current session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => fetchSession(signal),
  staleTime: 60_000,
  // A tab may have been suspended while the session ended.
  refetchOnWindowFocus: 'always',
})

/** The current session; undefined without one. */
export function findSession(queryClient: QueryClient) {
  return queryClient.query({ ...sessionQuery, staleTime: 'static' }).catch((error: unknown) => {
    if (isSignedOut(error)) return undefined
    throw error
  })
}

/** The person who is signed in, or null: for pages without a session. */
export const currentUserQuery = queryOptions({
  queryKey: ['current-user'],
  queryFn: async ({ signal }) => {
    if (!mayBeSignedIn()) return null
    try {
      return (await fetchSession(signal)).user
    } catch (error) {
      if (isSignedOut(error)) return null
      throw error
    }
  },
  staleTime: 0,
})

/** The origins of both products; undefined before the session is loaded. */
export function useProducts() {
  return useQuery(sessionQuery).data?.products
}

/** How an address can sign in. */
export function useDiscovery() {
  return useMutation({
    mutationFn: (email: string) => call(base, discoverSso, { body: { email } }),
  })
}

/** Whether the service has no account yet. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => call(base, readSetup, {}, { signal }),
  staleTime: 0,
})

/** Whether the token of a set-up link is the current one. */
export function setupTokenQuery(token: string) {
  return queryOptions({
    queryKey: ['setup-token', token],
    queryFn: async ({ signal }) => {
      try {
        return (await call(base, checkSetupToken, { body: { token } }, { signal })).valid
      } catch (error) {
        if (error instanceof ApiError && error.code === 'FORBIDDEN') return false
        throw error
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
