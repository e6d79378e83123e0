import type { Account } from '@assay/contract/platform.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { type DialogState, useDialog } from '@assay/ui/use-dialog.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { superAdminsQuery, useRevokeSuperAdmin } from '../../api/platform.ts'
import { sessionQuery } from '../../api/session.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { GrantDialog } from './GrantDialog.tsx'

/** Who runs the service. */
export function SuperAdminsPage() {
  const admins = useQuery(superAdminsQuery)
  const [isGranting, setGranting] = useState(false)
  return (
    <div className={styles.page}>
      <PageHead
        title="Super admins"
        lead="They act as Owner in every organization, approve who may have an account, and keep a password where single sign-on is enforced."
        action={
          <Button leftSection={<IconPlus size={14} />} onClick={() => setGranting(true)}>
            Add
          </Button>
        }
      />
      {admins.isPending ? (
        <TableSkeleton rows={2} rowHeightPx={52} />
      ) : admins.isError ? (
        <RequestProblem error={admins.error} onRetry={() => void admins.refetch()} />
      ) : (
        <AdminTable admins={admins.data} />
      )}
      <GrantDialog isOpen={isGranting} onClose={() => setGranting(false)} />
    </div>
  )
}

function AdminTable({ admins }: { readonly admins: readonly Account[] }) {
  const nowMs = useNow(60_000)
  const { data: session } = useQuery(sessionQuery)
  const revoking = useDialog<Account>()
  const active = admins.filter(({ disabled_at }) => disabled_at === null)
  return (
    <>
      <p className={styles.count}>{countOf(admins.length, 'super admin')}</p>
      <div className={styles.scroller}>
        <table className={`${styles.table} ${styles.stacked}`}>
          <caption className="visually-hidden">Super admins</caption>
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col" className={styles.wide}>
                Account since
              </th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {admins.map((admin) => {
              const isLast = active.length === 1 && active[0]?.id === admin.id
              return (
                <tr key={admin.id}>
                  <td className={styles.tall}>
                    <TwoLines below={admin.email}>
                      {admin.name}
                      {admin.id === session?.user.id && <span className="dimmed"> (you)</span>}
                      {admin.disabled_at !== null && <span className="dimmed"> (disabled)</span>}
                    </TwoLines>
                  </td>
                  <td className={styles.wide}>
                    <TimeText at={admin.created_at} nowMs={nowMs} />
                  </td>
                  <td className={styles.action}>
                    <Button
                      variant="subtle"
                      color="red"
                      size="compact-xs"
                      disabled={isLast}
                      title={isLast ? 'The service keeps at least one super admin.' : undefined}
                      aria-label={`Make ${admin.name} an ordinary person`}
                      onClick={() => revoking.open(admin)}
                    >
                      Revoke
                    </Button>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <RevokeDialog dialog={revoking} ownId={session?.user.id} />
    </>
  )
}

interface DialogProps {
  readonly dialog: DialogState<Account>
  readonly ownId: string | undefined
}

function RevokeDialog({ dialog: { target, isOpen, close }, ownId }: DialogProps) {
  const revoking = useRevokeSuperAdmin()
  const isSelf = target?.id === ownId
  function leave(): void {
    revoking.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Make ${isSelf ? 'yourself' : (target?.name ?? '')} an ordinary person?`}
      confirmLabel="Revoke"
      error={revoking.error?.message}
      isPending={revoking.isPending}
      onConfirm={() => target !== undefined && revoking.mutate(target.id, { onSuccess: leave })}
      onClose={leave}
    >
      <p>
        {isSelf ? 'You lose' : <strong>{target?.email}</strong>}
        {isSelf ? '' : ' loses'} these pages, and every organization that{' '}
        {isSelf ? 'you are' : 'they are'} no member of. All {isSelf ? 'your' : 'their'} sessions
        end: {isSelf ? 'you have' : 'they have'} to sign in again.
      </p>
    </ConfirmDialog>
  )
}
