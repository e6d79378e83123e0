import { ApiError } from '@assay/contract/client.ts'
import { hashKey, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { directoryQuery } from './projects.ts'
import { isSignedOut } from './session.ts'

/**
 * The cache of responses. `onSignedOut` is called when a session has ended. A refusal refetches the memberships
 * of the person, which may have changed.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (isSignedOut(error)) onSignedOut()
    else if (isRefusal(error)) void client.invalidateQueries({ queryKey: directoryQuery.queryKey })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryHash }) => {
        // A refused directory would be refetched forever.
        if (queryHash !== hashKey(directoryQuery.queryKey) || isSignedOut(error)) onError(error)
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
        // Retrying a refusal does not help.
        retry: (failures, error) => failures < 2 && isTransient(error),
        // Otherwise, a browser that reports being offline would wait forever.
        networkMode: 'always',
        staleTime: 5_000,
      },
      mutations: { networkMode: 'always' },
    },
  })
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
