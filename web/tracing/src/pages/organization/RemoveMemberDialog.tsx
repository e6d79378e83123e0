import type { Member } from '@assay/contract/members.ts'
import { countOf } from '@assay/ui/count-of.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useNavigate } from '@tanstack/react-router'
import { useRemoveMember } from '../../api/members.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import type { CurrentOrganization } from '../../shell/use-organization.ts'

interface Props {
  readonly current: CurrentOrganization
  readonly ownUserId: string | undefined
  readonly dialog: DialogState<Member>
}

/** Asks before a person is taken out of an organization, and says what they lose. */
export function RemoveMemberDialog({ current, ownUserId, dialog }: Props) {
  const { organization, projects } = current
  const { target, isOpen, close } = dialog
  const removing = useRemoveMember(organization.id)
  const navigate = useNavigate()
  const isSelf = target?.user_id === ownUserId
  function leave(): void {
    removing.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={isSelf ? `Leave ${organization.name}?` : `Remove ${target?.name ?? ''}?`}
      confirmLabel={isSelf ? 'Leave' : 'Remove member'}
      error={removing.error?.message}
      isPending={removing.isPending}
      onConfirm={() =>
        target !== undefined &&
        removing.mutate(target.user_id, {
          onSuccess: () => {
            leave()
            if (isSelf) void navigate({ to: '/' })
          },
        })
      }
      onClose={leave}
    >
      <p>
        {isSelf ? 'You lose' : <strong>{target?.email}</strong>}
        {isSelf ? '' : ' loses'} access to <strong>{organization.name}</strong> from the next
        request on, with its {countOf(projects.length, 'project')}
        {projects.length > 0 && `: ${named(projects)}`}.
      </p>
      <p>
        Pending invites that {isSelf ? 'you' : 'they'} sent are revoked. The account, traces and
        tracing keys stay; coming back takes a new invite.
      </p>
    </ConfirmDialog>
  )
}

const mostNamed = 5

function named(projects: readonly { readonly name: string }[]): string {
  const names = projects.slice(0, mostNamed).map(({ name }) => name)
  const others = projects.length - names.length
  return [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ')
}
