import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'

/** Opens a page after sign-in. Cached data of the previous person is dropped. */
export function useCompleteSignIn(): (path: string) => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async (path) => {
    queryClient.clear()
    await queryClient.query(sessionQuery)
    router.history.replace(path)
  }
}
