import { hasPermission, type Permission, type Role, roles } from '@assay/contract/access.ts'
import type { Column } from '@assay/ui/table/table-model.ts'
import { IconCheck, IconMinus, IconUsers } from '@tabler/icons-react'
import { ListPage } from '../../page/ListPage.tsx'
import { useOrganization } from '../../shell/use-organization.ts'
import own from './organization.module.css'
import { formatPermission, permissions } from './permission-labels.ts'

/** The permissions of each role, from the table that the service checks. */
export function RolesPage() {
  const { organization } = useOrganization()
  return (
    <ListPage
      title="Roles"
      lead="A role applies to one organization. Changes take effect immediately."
      rows={permissions}
      columns={[permissionColumn, ...roles.map((role) => roleColumn(role, organization.role))]}
      rowKey={(permission) => permission}
      empty={{ Icon: IconUsers, title: 'No permissions', text: '' }}
    >
      <p className={own.footnote}>
        You can only assign roles up to your own, and only an Owner can change an Owner. An
        organization keeps at least one Owner. Super admins act as Owner in every organization.
      </p>
    </ListPage>
  )
}

const permissionColumn: Column<Permission> = {
  key: 'permission',
  header: 'Permission',
  cell: (permission) => (
    <>
      {formatPermission(permission)} <code className={own.code}>{permission}</code>
    </>
  ),
}

function roleColumn(role: Role, ownRole: Role): Column<Permission> {
  const isOwn = role === ownRole
  return {
    key: role,
    header: isOwn ? `${role} (you)` : role,
    width: 92,
    className: isOwn ? `${own.role} ${own.ownRole}` : own.role,
    cell: (permission) =>
      hasPermission(role, permission) ? (
        <IconCheck size={16} role="img" aria-label="yes" className={own.granted} />
      ) : (
        <IconMinus size={16} role="img" aria-label="no" className={own.denied} />
      ),
  }
}
