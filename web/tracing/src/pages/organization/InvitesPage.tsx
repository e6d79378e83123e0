import type { Invite } from '@assay/contract/members.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconMail, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { invitesQuery, useRevokeInvite } from '../../api/members.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { useOrganization } from '../../shell/use-organization.ts'
import { InviteDialog, type InviteTarget } from './InviteDialog.tsx'

/** The invites that are not accepted yet, newest first. */
export function InvitesPage() {
  const { organization } = useOrganization()
  const inviting = useDialog<InviteTarget>()
  const revoking = useDialog<Invite>()
  return (
    <ListPage
      title="Invites"
      lead="Pending invites. If a link is lost, create a new one: it replaces the old link."
      action={
        <Button leftSection={<IconUserPlus size={14} />} onClick={() => inviting.open('new')}>
          Invite
        </Button>
      }
      rows={useQuery(invitesQuery(organization.id))}
      noun={['pending invite', 'pending invites']}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ email }) => email}
      actions={(invite) => [
        {
          label: 'New link',
          onSelect: () => inviting.open({ email: invite.email, role: invite.role }),
        },
        { label: 'Revoke', isDanger: true, onSelect: () => revoking.open(invite) },
      ]}
      empty={{
        Icon: IconMail,
        title: 'No pending invites',
        text: 'People who accept an invite appear under Members. Invites expire after seven days.',
      }}
    >
      <InviteDialog organization={organization} dialog={inviting} />
      <ConfirmDialog
        dialog={revoking}
        mutation={useRevokeInvite(organization.id)}
        variables={({ id }) => id}
        title="Revoke this invite?"
        confirmLabel="Revoke invite"
      >
        {({ email }) => (
          <p>
            The link sent to <strong>{email}</strong> stops working at once. You can invite them
            again.
          </p>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}

const columns: readonly Column<Invite>[] = [
  { key: 'email', header: 'E-mail address', cell: ({ email }) => email },
  { key: 'role', header: 'Role', narrow: 'bare', cell: ({ role }) => role },
  {
    key: 'invited-by',
    header: 'Invited by',
    narrow: 'hidden',
    cell: ({ invited_by }) => invited_by ?? <span className="dimmed">a deleted account</span>,
  },
  {
    key: 'expires',
    header: 'Expires',
    cell: ({ expires_at }) => <TimeText at={expires_at} />,
    sortValue: ({ expires_at }) => expires_at,
  },
]
