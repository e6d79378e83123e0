import type { Account } from '@assay/contract/platform.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { type DialogState, useDialog } from '@assay/ui/use-dialog.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDisable } from '../../api/platform.ts'
import { sessionQuery } from '../../api/session.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import styles from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'

/** People with what they are and what can be done to them. */
export function PeopleTable({ people }: { readonly people: readonly Account[] }) {
  const nowMs = useNow(60_000)
  const disabling = useDialog<Account>()
  const enabling = useDisable()
  const { data: session } = useQuery(sessionQuery)
  return (
    <>
      <FormError message={enabling.error?.message} />
      <div className={styles.scroller}>
        <table className={`${styles.table} ${styles.stacked}`}>
          <caption className="visually-hidden">People who have accounts</caption>
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">State</th>
              <th scope="col" className={styles.wide}>
                Since
              </th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => {
              const isSelf = person.id === session?.user.id
              return (
                <tr key={person.id}>
                  <td className={styles.tall}>
                    <TwoLines below={person.email}>
                      {person.name}
                      {isSelf && <span className="dimmed"> (you)</span>}
                    </TwoLines>
                  </td>
                  <td>
                    <TwoLines below={marksOf(person)}>
                      <StatusMark
                        isError={person.disabled_at !== null}
                        word={person.disabled_at === null ? 'Active' : 'Disabled'}
                      />
                    </TwoLines>
                  </td>
                  <td className={styles.wide}>
                    <TimeText at={person.created_at} nowMs={nowMs} />
                  </td>
                  <td className={styles.action}>
                    {person.disabled_at === null ? (
                      <Button
                        variant="subtle"
                        color="red"
                        size="compact-xs"
                        disabled={isSelf}
                        title={isSelf ? 'Nobody disables themselves.' : undefined}
                        aria-label={`Disable ${person.name}`}
                        onClick={() => disabling.open(person)}
                      >
                        Disable
                      </Button>
                    ) : (
                      <Button
                        variant="subtle"
                        size="compact-xs"
                        loading={enabling.isPending && enabling.variables.userId === person.id}
                        aria-label={`Enable ${person.name}`}
                        onClick={() => enabling.mutate({ userId: person.id, disabled: false })}
                      >
                        Enable
                      </Button>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <DisableDialog dialog={disabling} />
    </>
  )
}

function marksOf({ is_super_admin, has_password, email_verified_at }: Account): string {
  return [
    ...(is_super_admin ? ['super admin'] : []),
    ...(has_password ? [] : ['no password']),
    ...(email_verified_at === null ? ['address not confirmed'] : []),
  ].join(', ')
}

function DisableDialog({
  dialog: { target, isOpen, close },
}: {
  readonly dialog: DialogState<Account>
}) {
  const disabling = useDisable()
  function leave(): void {
    disabling.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Disable ${target?.name ?? ''}?`}
      confirmLabel="Disable"
      error={disabling.error?.message}
      isPending={disabling.isPending}
      onConfirm={() =>
        target !== undefined &&
        disabling.mutate({ userId: target.id, disabled: true }, { onSuccess: leave })
      }
      onClose={leave}
    >
      <p>
        All sessions of <strong>{target?.email}</strong> end now, and neither a password nor single
        sign-on begins another. Memberships and everything they made stay; you can enable them
        again.
      </p>
    </ConfirmDialog>
  )
}
