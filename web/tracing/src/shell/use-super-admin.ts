import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'

/** Whether the person runs the service: then the pages about the platform are theirs. */
export function useSuperAdmin(): boolean {
  const { data: session } = useQuery(sessionQuery)
  return session?.user.is_super_admin === true
}
