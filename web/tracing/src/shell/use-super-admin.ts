import { sessionQuery } from '@assay/account/api/session.ts'
import { useQuery } from '@tanstack/react-query'

/** Whether the person is a super admin and can open the platform pages. */
export function useSuperAdmin(): boolean {
  const { data: session } = useQuery(sessionQuery)
  return session?.user.is_super_admin === true
}
