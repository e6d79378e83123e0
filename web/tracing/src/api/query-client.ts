import { ApiError } from '@assay/contract/client.ts'
import { hashKey, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { directoryQuery } from './projects.ts'
import { isSignedOut } from './session.ts'

/**
 * The cache of answers. `onSignedOut` is called whenever the service no longer knows who is asking. Where it
 * refuses, the person's memberships are read anew: somebody may have just changed them.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (isSignedOut(error)) onSignedOut()
    else if (isRefusal(error)) void client.invalidateQueries({ queryKey: directoryQuery.queryKey })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryHash }) => {
        // Its own refusal would have it asked again without end.
        if (queryHash !== hashKey(directoryQuery.queryKey) || isSignedOut(error)) onError(error)
      },
    }),
    mutationCache: new MutationCache({
      // At sign-in, 401 is an answer to the password and no news.
      onError: (error, _variables, _result, mutation) => {
        if (mutation.options.meta?.['isSignIn'] !== true) onError(error)
      },
    }),
    defaultOptions: {
      queries: {
        // A refusal stays a refusal however often one asks.
        retry: (failures, error) => failures < 2 && isTransient(error),
        // Without it, a browser that believes itself offline would wait for ever without a word.
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
