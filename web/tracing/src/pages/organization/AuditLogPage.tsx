import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { auditExportUrl } from '../../api/audit-log.ts'
import { membersQuery } from '../../api/members.ts'
import { AuditLog } from '../../audit/AuditLog.tsx'
import { toAuditFilters } from '../../audit/audit-search.ts'
import { useOrganization } from '../../shell/use-organization.ts'

const route = getRouteApi('/signed-in/o/$orgId/settings/audit-log')

/** The audit log of an organization. */
export function AuditLogPage() {
  const { organization, projects } = useOrganization()
  const orgId = organization.id
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const { data: members = [] } = useQuery(membersQuery(orgId))
  return (
    <AuditLog
      scope={{ orgId }}
      lead={`Changes in ${organization.name}: who made them, when and from where. Nobody can edit or delete entries; repeated events share one with their count.`}
      search={search}
      people={members}
      projects={projects}
      exportUrl={(nowMs) => auditExportUrl(orgId, toAuditFilters(search, nowMs))}
      onSearch={(next) => void navigate({ search: next, replace: true })}
    />
  )
}
