import { useCurrentPage } from '@assay/account/routes/use-pages.ts'
import { formatHolders, type OrganizationAccess } from '@assay/account/shell/organization-access.ts'
import { Outlet } from '@tanstack/react-router'
import { AccessDenied } from '../page/AccessDenied.tsx'

/** A page of a section, if the person has the permission it declares. */
export function SectionPage({
  access: { organization, can },
}: {
  readonly access: OrganizationAccess
}) {
  const permission = useCurrentPage()?.permission
  if (permission === undefined || can(permission)) return <Outlet />
  return (
    <AccessDenied>
      Only {formatHolders(permission)} of {organization.name} can open it. Ask one of them for
      another role.
    </AccessDenied>
  )
}
