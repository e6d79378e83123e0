import { hasPermission, type Role } from '@assay/contract/access.ts'
import type { Member } from '@assay/contract/members.ts'
import type { Organization } from '@assay/contract/organizations.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useChangeRole } from '../../api/members.ts'
import { roleDifference } from './permission-labels.ts'

export interface RoleSelection {
  readonly member: Member
  readonly role: Role
  readonly isSelf: boolean
}

interface Props {
  readonly organization: Organization
  readonly dialog: DialogState<RoleSelection>
}

/** Confirms a change of role, with the permissions gained and lost. */
export function RoleDialog({ organization, dialog }: Props) {
  return (
    <ConfirmDialog
      dialog={dialog}
      mutation={useChangeRole(organization.id)}
      variables={({ member, role }) => ({ userId: member.user_id, role })}
      title={({ member, role, isSelf }) =>
        `Change ${isSelf ? 'your role' : `the role of ${member.name}`} to ${role}?`
      }
      confirmLabel="Change role"
      isHarmless
    >
      {(selection) => <Consequences {...selection} />}
    </ConfirmDialog>
  )
}

function Consequences({ member, role, isSelf }: RoleSelection) {
  const { gained, lost } = roleDifference(member.role, role)
  const who = isSelf ? 'You' : member.name
  const losesInvites = hasPermission(member.role, 'manage_members') && lost.length > 0
  return (
    <>
      <p>
        From <strong>{member.role}</strong> to <strong>{role}</strong>, effective immediately.
      </p>
      <PermissionList label={`${who} will no longer be able to:`} items={lost} />
      <PermissionList label={`${who} will be able to:`} items={gained} />
      {losesInvites && (
        <p>
          Pending invites to roles that {isSelf ? 'you' : 'they'} can no longer assign are revoked.
        </p>
      )}
      {isSelf && lost.length > 0 && (
        <p>
          <strong>You can't undo this yourself.</strong>
        </p>
      )}
    </>
  )
}

interface ListProps {
  readonly label: string
  readonly items: readonly string[]
}

function PermissionList({ label, items }: ListProps) {
  if (items.length === 0) return null
  return (
    <div>
      {label}
      <ul style={{ margin: 0 }}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}
