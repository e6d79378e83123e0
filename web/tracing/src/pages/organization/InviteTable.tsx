import type { Invite } from '@assay/contract/members.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { type Invitation, useRevokeInvite } from '../../api/members.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import styles from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'

interface Props {
  readonly orgId: string
  readonly invites: readonly Invite[]
  readonly onRepeat: (invitation: Invitation) => void
}

/** The pending invites, newest first. */
export function InviteTable({ orgId, invites, onRepeat }: Props) {
  const nowMs = useNow(60_000)
  const revoking = useDialog<Invite>()
  const revoke = useRevokeInvite(orgId)
  const { target } = revoking
  function leave(): void {
    revoke.reset()
    revoking.close()
  }
  return (
    <>
      <p className={styles.count}>{countOf(invites.length, 'pending invite')}</p>
      <div className={styles.scroller}>
        <table className={`${styles.table} ${styles.stacked}`}>
          <caption className="visually-hidden">Pending invites</caption>
          <thead>
            <tr>
              <th scope="col">Address</th>
              <th scope="col" className={styles.wide}>
                Invited by
              </th>
              <th scope="col" className={styles.wide}>
                Runs out
              </th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {invites.map((invite) => (
              <tr key={invite.id}>
                <td className={styles.tall}>
                  <TwoLines below={`as ${invite.role}`}>{invite.email}</TwoLines>
                </td>
                <td className={styles.wide}>
                  {invite.invited_by ?? <span className="dimmed">somebody who is gone</span>}
                </td>
                <td className={styles.wide}>
                  <TimeText at={invite.expires_at} nowMs={nowMs} />
                </td>
                <td className={styles.action}>
                  <Button
                    variant="subtle"
                    size="compact-xs"
                    aria-label={`New link for ${invite.email}`}
                    onClick={() => onRepeat({ email: invite.email, role: invite.role })}
                  >
                    New link
                  </Button>
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-xs"
                    aria-label={`Revoke the invite of ${invite.email}`}
                    onClick={() => revoking.open(invite)}
                  >
                    Revoke
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ConfirmDialog
        isOpen={revoking.isOpen}
        title="Revoke this invite?"
        confirmLabel="Revoke invite"
        cancelLabel="Keep it"
        error={revoke.error?.message}
        isPending={revoke.isPending}
        onConfirm={() => target !== undefined && revoke.mutate(target.id, { onSuccess: leave })}
        onClose={leave}
      >
        <p>
          The link that <strong>{target?.email}</strong> was sent stops working at once. You can
          invite them again.
        </p>
      </ConfirmDialog>
    </>
  )
}
