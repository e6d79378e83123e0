import { holds } from '@assay/contract/access.ts'
import type { Organization } from '@assay/contract/organizations.ts'
import { useQuery } from '@tanstack/react-query'
import { directoryQuery } from '../api/projects.ts'
import { sessionQuery } from '../api/session.ts'

/** The organizations in which the person may create a project. */
export function useMayCreateProject(): readonly Organization[] {
  const { data: directory = [] } = useQuery(directoryQuery)
  const { data: session } = useQuery(sessionQuery)
  const isSuperAdmin = session?.user.is_super_admin === true
  return directory
    .map(({ organization }) => organization)
    .filter(
      ({ role }) =>
        isSuperAdmin || holds(role, 'manage_org_settings') || holds(role, 'manage_members'),
    )
}
