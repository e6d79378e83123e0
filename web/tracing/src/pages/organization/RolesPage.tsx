import { hasPermission, roles } from '@assay/contract/access.ts'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { useOrganization } from '../../shell/use-organization.ts'
import own from './organization.module.css'
import { formatPermission, permissions } from './permission-labels.ts'

/** What each role may do, by the same data that the service decides with. */
export function RolesPage() {
  const current = useOrganization()
  return (
    <div className={styles.page}>
      <PageHead
        title="Roles"
        lead="A role holds in one organization. What is changed here or in the member list counts from the person's next request on."
      />
      <div className={styles.scroller}>
        <table className={`${styles.table} ${own.matrix}`}>
          <caption className="visually-hidden">What each role may do</caption>
          <thead>
            <tr>
              <th scope="col">May</th>
              {roles.map((role) => (
                <th
                  key={role}
                  scope="col"
                  data-own={role === current?.organization.role || undefined}
                >
                  {role}
                  {role === current?.organization.role && <span className={own.you}>you</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissions.map((permission) => (
              <tr key={permission}>
                <th scope="row">
                  {formatPermission(permission)} <code className={own.code}>{permission}</code>
                </th>
                {roles.map((role) => (
                  <td key={role} data-own={role === current?.organization.role || undefined}>
                    {hasPermission(role, permission) ? (
                      <IconCheck size={16} role="img" aria-label="yes" className={own.yes} />
                    ) : (
                      <IconMinus size={16} role="img" aria-label="no" className={own.no} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={own.foot}>
        Nobody gives a role above their own, and only an Owner changes what an Owner is. An
        organization keeps at least one Owner. Super admins of the service act as Owner in every
        organization.
      </p>
    </div>
  )
}
