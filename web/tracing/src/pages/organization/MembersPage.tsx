import { sessionQuery, setupQuery } from '@assay/account/api/session.ts'
import { type Role, roles } from '@assay/contract/access.ts'
import type { Member } from '@assay/contract/members.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { membersQuery } from '../../api/members.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { PersonName } from '../../page/PersonName.tsx'
import { TwoLines } from '../../page/TwoLines.tsx'
import { useOrganization } from '../../shell/use-organization.ts'
import { InviteDialog, type InviteTarget } from './InviteDialog.tsx'
import { type MemberContext, memberDisabledReason, roleDisabledReason } from './member-rules.ts'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'
import { RoleDialog, type RoleSelection } from './RoleDialog.tsx'
import { VerifyMemberDialog } from './VerifyMemberDialog.tsx'

/** The members of an organization with their roles. */
export function MembersPage() {
  const current = useOrganization()
  const { organization, can } = current
  const members = useQuery(membersQuery(organization.id))
  const { data: session } = useQuery(sessionQuery)
  const inviting = useDialog<InviteTarget>()
  const changing = useDialog<RoleSelection>()
  const removing = useDialog<Member>()
  const verifying = useDialog<Member>()
  const { data: setup } = useQuery(setupQuery)
  const canManage = can('manage_members')
  const ownUserId = session?.user.id
  const context = { ownUserId, ownRole: organization.role, members: members.data ?? [] }
  const isSelf = (member: Member) => member.user_id === ownUserId

  const columns: readonly Column<Member>[] = [
    {
      key: 'member',
      header: 'Member',
      cell: (member) => <PersonName {...member} isSelf={isSelf(member)} />,
      sortValue: ({ name }) => name,
    },
    {
      key: 'role',
      header: 'Role',
      narrow: 'bare',
      cell(member) {
        if (!canManage) return member.role
        const disabledReason = memberDisabledReason(member, context)
        if (disabledReason !== undefined) {
          return <TwoLines below={disabledReason}>{member.role}</TwoLines>
        }
        return (
          <RoleSelect
            member={member}
            context={context}
            onSelect={(role) => changing.open({ member, role, isSelf: isSelf(member) })}
          />
        )
      },
      sortValue: ({ role }) => roles.indexOf(role),
    },
    {
      key: 'joined',
      header: 'Joined',
      narrow: 'hidden',
      cell: ({ joined_at }) => <TimeText at={joined_at} />,
      sortValue: ({ joined_at }) => joined_at,
    },
  ]
  const remove = (member: Member) => ({
    label: isSelf(member) ? 'Leave' : 'Remove',
    isDanger: true,
    disabledReason: memberDisabledReason(member, context),
    onSelect: () => removing.open(member),
  })
  const verify = (member: Member) => ({
    label: 'Mark as verified',
    onSelect: () => verifying.open(member),
  })
  // With mail, people verify their address themselves.
  const canVerify = (member: Member) =>
    organization.role === 'Owner' &&
    setup?.mail_configured === false &&
    member.email_verified_at === null &&
    !isSelf(member)
  const listActions = (member: Member) =>
    canVerify(member) ? [verify(member), remove(member)] : [remove(member)]
  return (
    <ListPage
      title="Members"
      lead="Members can read the traces of every project of the organization."
      note={
        <PermissionNote access={current} needs="manage_members" to="invite and remove people" />
      }
      action={
        canManage && (
          <Button leftSection={<IconUserPlus size={14} />} onClick={() => inviting.open('new')}>
            Invite
          </Button>
        )
      }
      rows={members}
      noun={['member', 'members']}
      columns={columns}
      rowKey={({ user_id }) => user_id}
      rowName={({ name }) => name}
      actions={canManage ? listActions : undefined}
      empty={{ Icon: IconUsers, title: 'No members', text: 'Invite people to see them here.' }}
    >
      <InviteDialog organization={organization} dialog={inviting} />
      <RoleDialog organization={organization} dialog={changing} />
      <RemoveMemberDialog current={current} ownUserId={ownUserId} dialog={removing} />
      <VerifyMemberDialog orgId={organization.id} dialog={verifying} />
    </ListPage>
  )
}

interface SelectProps {
  readonly member: Member
  readonly context: MemberContext
  readonly onSelect: (role: Role) => void
}

function RoleSelect({ member, context, onSelect }: SelectProps) {
  return (
    <NativeSelect
      size="xs"
      w={128}
      aria-label={`Role of ${member.name}`}
      value={member.role}
      onChange={(event) => {
        const role = roles.find((one) => one === event.currentTarget.value)
        if (role !== undefined && role !== member.role) onSelect(role)
      }}
      data={roles.map((role) => {
        const disabledReason = roleDisabledReason(role, member, context)
        return disabledReason === undefined
          ? role
          : { value: role, label: `${role} (${disabledReason})`, disabled: true }
      })}
    />
  )
}
