import type { Member } from '@assay/contract/members.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useNavigate } from '@tanstack/react-router'
import { useRemoveMember } from '../../api/members.ts'
import type { CurrentOrganization } from '../../shell/use-organization.ts'

interface Props {
  readonly current: CurrentOrganization
  readonly ownUserId: string | undefined
  readonly dialog: DialogState<Member>
}

/** Confirms the removal of a member, or leaving the organization, and lists what is lost. */
export function RemoveMemberDialog({ current, ownUserId, dialog }: Props) {
  const { organization, projects } = current
  const navigate = useNavigate()
  const isSelf = dialog.target?.user_id === ownUserId
  return (
    <ConfirmDialog
      dialog={dialog}
      mutation={useRemoveMember(organization.id)}
      variables={({ user_id }) => user_id}
      title={({ name }) => (isSelf ? `Leave ${organization.name}?` : `Remove ${name}?`)}
      confirmLabel={isSelf ? 'Leave' : 'Remove member'}
      onDone={() => isSelf && void navigate({ to: '/' })}
    >
      {({ email }) => (
        <>
          <p>
            {isSelf ? 'You lose' : <strong>{email}</strong>}
            {isSelf ? '' : ' loses'} access to <strong>{organization.name}</strong> with its{' '}
            {countOf(projects.length, 'project')}
            {projects.length > 0 && `: ${formatNames(projects)}`}.
          </p>
          <p>
            Pending invites sent by {isSelf ? 'you' : 'them'} are revoked. The account, traces and
            tracing keys are kept. To come back, {isSelf ? 'you need' : 'they need'} a new invite.
          </p>
        </>
      )}
    </ConfirmDialog>
  )
}

const maxNames = 5

function formatNames(projects: readonly { readonly name: string }[]): string {
  const names = projects.slice(0, maxNames).map(({ name }) => name)
  const others = projects.length - names.length
  return [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ')
}
