import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconMail, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Invitation, invitesQuery } from '../../api/members.ts'
import { AccessDenied } from '../../page/AccessDenied.tsx'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { type CurrentOrganization, useOrganization } from '../../shell/use-organization.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { InviteTable } from './InviteTable.tsx'

/** Who was asked to join and has not yet. */
export function InvitesPage() {
  const current = useOrganization()
  if (current === undefined) return null
  if (!current.can('manage_members')) {
    return <AccessDenied>Invites are for the Owners and Admins of the organization.</AccessDenied>
  }
  return <Invites current={current} />
}

/** An invitation to repeat, or a new one. */
type InviteTarget = Invitation | 'new'

function Invites({ current: { organization } }: { readonly current: CurrentOrganization }) {
  const invites = useQuery(invitesQuery(organization.id))
  const inviting = useDialog<InviteTarget>()
  const invite = (
    <Button leftSection={<IconUserPlus size={14} />} onClick={() => inviting.open('new')}>
      Invite
    </Button>
  )
  return (
    <div className={styles.page}>
      <PageHead
        title="Invites"
        lead="Invited and not yet here. A link that is lost cannot be shown again: invite once more, and the new link takes its place."
        action={invites.data !== undefined && invites.data.length > 0 && invite}
      />
      {invites.isPending ? (
        <TableSkeleton rows={2} rowHeightPx={52} />
      ) : invites.isError ? (
        <RequestProblem error={invites.error} onRetry={() => void invites.refetch()} />
      ) : invites.data.length === 0 ? (
        <EmptyState
          icon={<IconMail size={20} stroke={1.75} />}
          title="No pending invites"
          actions={invite}
        >
          Whoever accepts an invite appears under Members. Invites that were not accepted within
          seven days are gone from here.
        </EmptyState>
      ) : (
        <InviteTable orgId={organization.id} invites={invites.data} onRepeat={inviting.open} />
      )}
      <InviteDialog
        organization={organization}
        isOpen={inviting.isOpen}
        again={inviting.target === 'new' ? undefined : inviting.target}
        onClose={inviting.close}
      />
    </div>
  )
}
