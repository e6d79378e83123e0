import { sessionQuery } from '@assay/account/api/session.ts'
import type { Account } from '@assay/contract/platform.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconShieldLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { superAdminsQuery, useRevokeSuperAdmin } from '../../api/platform.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { PersonName } from '../../page/PersonName.tsx'
import { GrantDialog } from './GrantDialog.tsx'

/** The super admins of the service. */
export function SuperAdminsPage() {
  const admins = useQuery(superAdminsQuery)
  const { data: session } = useQuery(sessionQuery)
  const granting = useDialog<null>()
  const revoking = useDialog<Account>()
  const isSelf = ({ id }: Account) => id === session?.user.id
  const active = admins.data?.filter(({ disabled_at }) => disabled_at === null) ?? []
  const isLast = ({ id }: Account) => active.length === 1 && active[0]?.id === id

  const columns: readonly Column<Account>[] = [
    {
      key: 'admin',
      header: 'Super admin',
      cell: (admin) => <PersonName {...admin} isSelf={isSelf(admin)} />,
    },
    {
      key: 'status',
      header: 'Status',
      narrow: 'bare',
      cell: ({ disabled_at }) => (disabled_at === null ? 'Active' : 'Disabled'),
    },
    {
      key: 'created',
      header: 'Account created',
      narrow: 'hidden',
      cell: ({ created_at }) => <TimeText at={created_at} />,
    },
  ]
  return (
    <ListPage
      title="Super admins"
      lead="Super admins act as Owner in every organization, approve who can have an account, and can sign in with a password even where single sign-on is required."
      action={
        <Button leftSection={<IconPlus size={14} />} onClick={() => granting.open(null)}>
          Add
        </Button>
      }
      rows={admins}
      noun={['super admin', 'super admins']}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      actions={(admin) => [
        {
          label: 'Revoke',
          isDanger: true,
          disabledReason: isLast(admin) ? 'The last super admin cannot be revoked.' : undefined,
          onSelect: () => revoking.open(admin),
        },
      ]}
      empty={{ Icon: IconShieldLock, title: 'No super admins', text: 'Add the first one.' }}
    >
      <GrantDialog dialog={granting} />
      <ConfirmDialog
        dialog={revoking}
        mutation={useRevokeSuperAdmin()}
        variables={({ id }) => id}
        title="Revoke super admin?"
        confirmLabel="Revoke"
      >
        {(admin) => (
          <p>
            {isSelf(admin) ? 'You lose' : <strong>{admin.email}</strong>}
            {isSelf(admin) ? '' : ' loses'} access to the platform pages and to organizations
            without a membership. All {isSelf(admin) ? 'your' : 'their'} sessions end.
          </p>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}
