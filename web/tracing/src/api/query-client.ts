import { ApiError } from '@assay/contract/client.ts'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut } from './session.ts'

/** The cache of answers. `onSignedOut` is called whenever the service no longer knows who is asking. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (isSignedOut(error)) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      // At sign-in, 401 is an answer to the password and no news.
      onError: (error, _variables, _result, mutation) => {
        if (mutation.options.meta?.['isSignIn'] !== true) onError(error)
      },
    }),
    defaultOptions: {
      queries: {
        // A refusal stays a refusal however often one asks.
        retry: (failures, error) => failures < 2 && isPassing(error),
        // Without it, a browser that believes itself offline would wait for ever without a word.
        networkMode: 'always',
        staleTime: 5_000,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

function isPassing(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 502
}
