import { AccessDenied } from '../../page/AccessDenied.tsx'
import { TabFrame } from '../../page/TabFrame.tsx'
import { TabLink } from '../../page/TabLink.tsx'
import { useSuperAdmin } from '../../shell/use-super-admin.ts'
import { useTitle } from '../../shell/use-title.ts'

/** Round the pages about the service as a whole, which are for super admins. */
export function PlatformFrame() {
  useTitle('Platform')
  const isSuperAdmin = useSuperAdmin()
  if (!isSuperAdmin) {
    return <AccessDenied>It is for the super admins of this service, who run it.</AccessDenied>
  }
  return (
    <TabFrame label="Platform">
      <TabLink to="/platform/access">Access</TabLink>
      <TabLink to="/platform/people">People</TabLink>
      <TabLink to="/platform/super-admins">Super admins</TabLink>
      <TabLink to="/platform/organizations">Organizations</TabLink>
      <TabLink to="/platform/audit-log">Audit log</TabLink>
    </TabFrame>
  )
}
