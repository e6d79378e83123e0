import { ApiError } from '@assay/contract/client.ts'
import {
  hashKey,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { isSignedOut } from './first-requests.ts'
import { directoryQuery } from './projects.ts'
import { openRecovery } from './recovery.ts'
import { sessionQuery } from './session.ts'

/**
 * The cache of responses. `onSignedOut` is called when the session has ended. Other requests without a session
 * refetch it, because they may be older than a new sign-in. A refusal refetches the memberships of the person,
 * which may have changed. `onRecovered` is called after an outage, of which failed requests are sent again.
 */
export function createQueryClient(onSignedOut: () => void, onRecovered: () => void): QueryClient {
  const onError = (error: Error) => {
    if (isSignedOut(error)) {
      const { queryKey } = sessionQuery
      void client.invalidateQueries({ queryKey, refetchType: 'all' }, { cancelRefetch: false })
    } else if (isRefusal(error))
      void client.invalidateQueries({ queryKey: directoryQuery.queryKey })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryHash }) => {
        recover(error)
        const isOf = ({ queryKey }: { readonly queryKey: QueryKey }) =>
          queryHash === hashKey(queryKey)
        if (isOf(sessionQuery) && isSignedOut(error)) onSignedOut()
        // A refused session or directory would be refetched forever.
        else if (!isOf(sessionQuery) && (!isOf(directoryQuery) || isSignedOut(error))) {
          onError(error)
        }
      },
    }),
    mutationCache: new MutationCache({
      // At sign-in, 401 is the response to a wrong password.
      onError: (error, _variables, _result, mutation) => {
        if (mutation.options.meta?.['isSignIn'] !== true) onError(error)
      },
    }),
    defaultOptions: {
      queries: {
        // Retrying a refusal does not help, and what an outage refuses is sent again when it is over.
        retry: (failures, error) => failures < 1 && isTransient(error),
        // Otherwise, a browser that reports being offline would wait forever.
        networkMode: 'always',
        // Not the default in that mode.
        refetchOnReconnect: true,
        staleTime: 5_000,
      },
      mutations: { networkMode: 'always' },
    },
  })
  const recover = openRecovery({ client, onRecovered })
  return client
}

function isRefusal(error: Error): boolean {
  return (
    error instanceof ApiError && (error.code === 'FORBIDDEN' || error.code === 'PROJECT_NOT_FOUND')
  )
}

function isTransient(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 502
}
