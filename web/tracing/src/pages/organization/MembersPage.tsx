import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { membersQuery } from '../../api/members.ts'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { RoleNote } from '../../page/RoleNote.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { type CurrentOrganization, useOrganization } from '../../shell/use-organization.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { MemberTable } from './MemberTable.tsx'

/** Who is in an organization, and as what. */
export function MembersPage() {
  const current = useOrganization()
  return current === undefined ? null : <Members current={current} />
}

function Members({ current }: { readonly current: CurrentOrganization }) {
  const { organization, can } = current
  const members = useQuery(membersQuery(organization.id))
  const [isInviting, setInviting] = useState(false)
  const canManage = can('manage_members')
  return (
    <div className={styles.page}>
      <PageHead
        title="Members"
        lead="Everybody here can read the traces of every project of the organization."
        action={
          canManage && (
            <Button leftSection={<IconUserPlus size={14} />} onClick={() => setInviting(true)}>
              Invite
            </Button>
          )
        }
      />
      {!canManage && (
        <RoleNote organization={organization}>
          Its Owners and Admins invite people and change roles.
        </RoleNote>
      )}
      {members.isPending ? (
        <TableSkeleton rows={3} rowHeightPx={52} />
      ) : members.isError ? (
        <RequestProblem error={members.error} onRetry={() => void members.refetch()} />
      ) : (
        <MemberTable current={current} members={members.data} />
      )}
      <InviteDialog
        organization={organization}
        isOpen={isInviting}
        onClose={() => setInviting(false)}
      />
    </div>
  )
}
