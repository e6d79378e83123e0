import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { auditExportUrl } from '../../api/audit-log.ts'
import { membersQuery } from '../../api/members.ts'
import { AuditLog } from '../../audit/AuditLog.tsx'
import { auditFiltersOf, parseAuditSearch } from '../../audit/audit-search.ts'
import { AccessDenied } from '../../page/AccessDenied.tsx'
import { useOrganization } from '../../shell/use-organization.ts'

const route = getRouteApi('/signed-in/o/$orgId/settings/audit-log')

/** Who did what in an organization, when and from where. */
export function AuditLogPage() {
  const { orgId } = route.useParams()
  const current = useOrganization()
  const search = route.useSearch({ select: parseAuditSearch })
  const navigate = route.useNavigate()
  const canRead = current?.can('manage_org_settings') === true
  const { data: members } = useQuery({ ...membersQuery(orgId), enabled: canRead })
  if (current === undefined) return null
  if (!canRead) {
    return (
      <AccessDenied>The audit log is for the Owners and Admins of the organization.</AccessDenied>
    )
  }
  return (
    <AuditLog
      scope={{ orgId }}
      lead={`What was changed in ${current.organization.name}, by whom and from where. Nothing here can be changed or deleted.`}
      search={search}
      people={members ?? []}
      exportUrl={(nowMs) => auditExportUrl(orgId, auditFiltersOf(search, nowMs))}
      onSearch={(next) => void navigate({ search: next, replace: true })}
    />
  )
}
