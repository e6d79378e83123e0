import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { superAdminsQuery } from '../../api/platform.ts'
import { AuditLog } from '../../audit/AuditLog.tsx'

const route = getRouteApi('/signed-in/platform/audit-log')

/** Events outside any organization: sign-ins, approvals, super admins. */
export function PlatformAuditLogPage() {
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const { data: admins = [] } = useQuery(superAdminsQuery)
  return (
    <AuditLog
      scope="platform"
      lead="Changes outside of organizations: sign-ins, accounts, approvals, super admins. Nobody can edit or delete entries; repeated events share one with their count."
      search={search}
      people={admins.map(({ id, email }) => ({ user_id: id, email }))}
      onSearch={(next) => void navigate({ search: next, replace: true })}
    />
  )
}
