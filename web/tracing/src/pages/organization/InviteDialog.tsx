import { Form } from '@assay/account/form/Form.tsx'
import form from '@assay/account/form/form.module.css'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { inviteMember } from '@assay/contract/members.ts'
import type { Organization } from '@assay/contract/organizations.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { type Invitation, useInvite } from '../../api/members.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { InviteOutcome } from './InviteOutcome.tsx'
import { InviteProblem } from './InviteProblem.tsx'
import { rolesToInviteTo } from './member-rules.ts'

/** An invitation to repeat, or a new one. */
export type InviteTarget = Invitation | 'new'

interface Props {
  readonly organization: Organization
  readonly dialog: DialogState<InviteTarget>
}

/** Invites a person, then shows the link once. */
export function InviteDialog({ organization, dialog }: Props) {
  const title = (target: InviteTarget) =>
    target === 'new' ? `Invite to ${organization.name}` : 'Invite again'
  return (
    // A click outside must not discard a link that is shown only once.
    <FormDialog dialog={dialog} title={title} closeOnClickOutside={false}>
      {(target, close) => (
        <InviteForm organization={organization} target={target} onClose={close} />
      )}
    </FormDialog>
  )
}

interface FormProps {
  readonly organization: Organization
  readonly target: InviteTarget
  readonly onClose: () => void
}

function InviteForm({ organization, target, onClose }: FormProps) {
  const inviting = useInvite(organization.id)
  const invite = useMutationForm({
    endpoint: inviteMember,
    initialValues: target === 'new' ? { email: '', role: 'Viewer' as const } : target,
    mutation: inviting,
    formatError: () => undefined,
  })
  if (inviting.data !== undefined) {
    return <InviteOutcome outcome={inviting.data} role={invite.values.role} onDone={onClose} />
  }
  return (
    <Form form={invite} submitLabel="Invite" onCancel={onClose}>
      {target !== 'new' && (
        <p className={form.text}>
          The new invite replaces the pending one. The old link stops working.
        </p>
      )}
      <TextInput
        label="E-mail address"
        type="email"
        required
        data-autofocus
        {...invite.field('email')}
      />
      <NativeSelect
        label="Role"
        {...invite.field('role')}
        data={rolesToInviteTo(organization.role).map(({ role, disabledReason }) =>
          disabledReason === undefined
            ? role
            : { value: role, label: `${role} (${disabledReason})`, disabled: true },
        )}
      />
      {inviting.error !== null && (
        <InviteProblem
          error={inviting.error}
          organization={organization}
          email={invite.values.email.trim()}
          onApproved={() => invite.onSubmit()}
        />
      )}
    </Form>
  )
}
