import { roles } from '@assay/contract/access.ts'
import { ApiError } from '@assay/contract/client.ts'
import type { Organization } from '@assay/contract/organizations.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Alert, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Invitation, useInvite } from '../../api/members.ts'
import { useApprove } from '../../api/platform.ts'
import { fieldErrors } from '../../form/field-errors.ts'
import form from '../../form/form.module.css'
import { useSuperAdmin } from '../../shell/use-super-admin.ts'
import { rolesToInviteTo } from './member-rules.ts'

interface Props {
  readonly organization: Organization
  readonly draft: Invitation
  readonly isAgain: boolean
  readonly inviting: ReturnType<typeof useInvite>
  readonly onChange: (next: Invitation) => void
  readonly onCancel: () => void
}

/** Whom to invite as what. */
export function InviteForm({ organization, draft, isAgain, inviting, onChange, onCancel }: Props) {
  const errors = fieldErrors(inviting.error, ['email'])
  const invite = () => inviting.mutate(draft)
  return (
    <form
      className={form.fields}
      onSubmit={(event) => {
        event.preventDefault()
        invite()
      }}
    >
      {isAgain && (
        <p className={form.text}>
          The new invite takes the place of the pending one, whose link stops working.
        </p>
      )}
      <TextInput
        label="E-mail address"
        type="email"
        required
        data-autofocus
        maxLength={254}
        value={draft.email}
        error={errors.fields['email']}
        onChange={(event) => onChange({ ...draft, email: event.currentTarget.value })}
      />
      <NativeSelect
        label="Role"
        value={draft.role}
        onChange={(event) => {
          const role = roles.find((one) => one === event.currentTarget.value)
          if (role !== undefined) onChange({ ...draft, role })
        }}
        data={rolesToInviteTo(organization.role).map(({ role, disabledReason }) =>
          disabledReason === undefined
            ? role
            : { value: role, label: `${role} (${disabledReason})`, disabled: true },
        )}
      />
      {errors.rest !== undefined && inviting.error !== null && (
        <InviteProblem
          error={inviting.error}
          organization={organization}
          email={draft.email.trim()}
          onApproved={invite}
        />
      )}
      <div className={form.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={inviting.isPending}>
          Invite
        </Button>
      </div>
    </form>
  )
}

interface ProblemProps {
  readonly error: Error
  readonly organization: Organization
  readonly email: string
  readonly onApproved: () => void
}

function InviteProblem({ error, organization, email, onApproved }: ProblemProps) {
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'PLATFORM_ACCESS_REQUIRED') {
    return <NotApproved email={email} onApproved={onApproved} />
  }
  if (code !== 'CONFLICT') return <FormError message={error.message} />
  return (
    <Alert color="orange" p="xs" role="alert" icon={<IconAlertTriangle size={16} />}>
      <strong>{email}</strong> is a member of {organization.name} already. Their role can be changed
      in the{' '}
      <Link to="/o/$orgId/settings/members" params={{ orgId: organization.id }}>
        list of members
      </Link>
      .
    </Alert>
  )
}

interface NotApprovedProps {
  readonly email: string
  readonly onApproved: () => void
}

function NotApproved({ email, onApproved }: NotApprovedProps) {
  const isSuperAdmin = useSuperAdmin()
  const approving = useApprove()
  const domain = email.slice(email.lastIndexOf('@'))
  return (
    <Alert color="orange" p="xs" role="alert" icon={<IconAlertTriangle size={16} />}>
      <div className={form.tight}>
        <span>
          <strong>{email}</strong> is not approved for this service.{' '}
          {isSuperAdmin
            ? 'You are super admin: approve the address here, or its whole domain under Platform.'
            : `Ask a super admin to approve it, or all of ${domain}, under Platform; then invite again.`}
        </span>
        {isSuperAdmin && (
          <div>
            <Button
              variant="default"
              loading={approving.isPending}
              onClick={() => approving.mutate(email, { onSuccess: onApproved })}
            >
              Approve this address and invite
            </Button>
          </div>
        )}
        <FormError message={approving.error?.message} />
      </div>
    </Alert>
  )
}
