import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { sessionQuery } from '../../api/session.ts'

/** Goes to a page as whoever has just been signed in; nothing is left of who was here before. */
export function useCompleteSignIn(): (path: string) => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async (path) => {
    queryClient.clear()
    await queryClient.query(sessionQuery)
    router.history.replace(path)
  }
}
