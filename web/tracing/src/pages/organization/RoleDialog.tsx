import { hasPermission, type Role } from '@assay/contract/access.ts'
import type { Member } from '@assay/contract/members.ts'
import type { Organization } from '@assay/contract/organizations.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useChangeRole } from '../../api/members.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
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

/** Asks before a role is changed, and says what the person may do then and no more. */
export function RoleDialog({ organization, dialog: { target, isOpen, close } }: Props) {
  const changing = useChangeRole(organization.id)
  function leave(): void {
    changing.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={
        target === undefined
          ? ''
          : `Make ${target.isSelf ? 'yourself' : target.member.name} ${target.role}?`
      }
      confirmLabel="Change role"
      isHarmless
      error={changing.error?.message}
      isPending={changing.isPending}
      onConfirm={() =>
        target !== undefined &&
        changing.mutate({ userId: target.member.user_id, role: target.role }, { onSuccess: leave })
      }
      onClose={leave}
    >
      {target !== undefined && <Consequences {...target} />}
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
        <strong>{member.role}</strong> now, <strong>{role}</strong> from the next request on.
      </p>
      <Listed words={`${who} will no longer be able to:`} items={lost} />
      <Listed words={`${who} will be able to:`} items={gained} />
      {losesInvites && (
        <p>
          Pending invites to roles that {isSelf ? 'you' : 'they'} may no longer give are revoked.
        </p>
      )}
      {isSelf && lost.length > 0 && (
        <p>
          <strong>Only somebody else can undo this for you.</strong>
        </p>
      )}
    </>
  )
}

function Listed({ words, items }: { readonly words: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <div>
      {words}
      <ul style={{ margin: 0 }}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}
