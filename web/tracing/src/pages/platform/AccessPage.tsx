import type { PlatformAccess } from '@assay/contract/platform.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { IconAt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { platformAccessQuery, useRevokeAccess } from '../../api/platform.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { ApproveForm } from './ApproveForm.tsx'

/** Which addresses may have accounts at all. */
export function AccessPage() {
  const access = useQuery(platformAccessQuery)
  return (
    <div className={styles.page}>
      <PageHead
        title="Access"
        lead="Only people with these addresses can sign up, be invited or come in through single sign-on. What they may see is up to their organizations."
      />
      <ApproveForm />
      {access.isPending ? (
        <TableSkeleton rows={3} />
      ) : access.isError ? (
        <RequestProblem error={access.error} onRetry={() => void access.refetch()} />
      ) : access.data.length === 0 ? (
        <EmptyState icon={<IconAt size={20} stroke={1.75} />} title="Nobody is approved yet">
          Approve an address or a whole domain above; only then can anybody be invited.
        </EmptyState>
      ) : (
        <AccessTable access={access.data} />
      )}
    </div>
  )
}

function AccessTable({ access }: { readonly access: readonly PlatformAccess[] }) {
  const nowMs = useNow(60_000)
  const revoking = useDialog<PlatformAccess>()
  return (
    <>
      <p className={styles.count}>{countOf(access.length, 'approval')}</p>
      <div className={styles.scroller}>
        <table className={`${styles.table} ${styles.stacked}`}>
          <caption className="visually-hidden">Approved addresses and domains</caption>
          <thead>
            <tr>
              <th scope="col">Address or domain</th>
              <th scope="col" className={styles.wide}>
                Approved by
              </th>
              <th scope="col" className={styles.wide}>
                When
              </th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {access.map((one) => (
              <tr key={one.id}>
                <td>
                  {one.pattern.startsWith('@') ? (
                    <>
                      {one.pattern} <span className="dimmed">everybody</span>
                    </>
                  ) : (
                    one.pattern
                  )}
                </td>
                <td className={styles.wide}>
                  {one.added_by ?? <span className="dimmed">the command line</span>}
                </td>
                <td className={styles.wide}>
                  <TimeText at={one.created_at} nowMs={nowMs} />
                </td>
                <td className={styles.action}>
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-xs"
                    aria-label={`Withdraw ${one.pattern}`}
                    onClick={() => revoking.open(one)}
                  >
                    Withdraw
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <RevokeAccessDialog dialog={revoking} />
    </>
  )
}

function RevokeAccessDialog({
  dialog,
}: {
  readonly dialog: ReturnType<typeof useDialog<PlatformAccess>>
}) {
  const withdraw = useRevokeAccess()
  const { target, isOpen, close } = dialog
  function leave(): void {
    withdraw.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Withdraw this approval?"
      confirmLabel="Withdraw"
      error={withdraw.error?.message}
      isPending={withdraw.isPending}
      onConfirm={() => target !== undefined && withdraw.mutate(target.id, { onSuccess: leave })}
      onClose={leave}
    >
      <p>
        {target?.pattern.startsWith('@') === true ? 'Nobody at ' : ''}
        <strong>{target?.pattern}</strong> can
        {target?.pattern.startsWith('@') === true ? '' : 'not'} sign up or be invited any more,
        unless another approval covers them.
      </p>
      <p>
        Accounts that exist stay, with all they may see. To lock somebody out, disable them under
        People.
      </p>
    </ConfirmDialog>
  )
}
