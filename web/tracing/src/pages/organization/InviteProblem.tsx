import form from '@assay/account/form/form.module.css'
import { ApiError } from '@assay/contract/client.ts'
import type { Organization } from '@assay/contract/organizations.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useApprove } from '../../api/platform.ts'
import { useSuperAdmin } from '../../shell/use-super-admin.ts'

interface Props {
  readonly error: Error
  readonly organization: Organization
  readonly email: string
  readonly onApproved: () => void
}

/** Why an invitation was refused, and what to do about it. */
export function InviteProblem({ error, organization, email, onApproved }: Props) {
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'VALIDATION_ERROR') return null
  if (code === 'PLATFORM_ACCESS_REQUIRED') {
    return <NotApproved email={email} onApproved={onApproved} />
  }
  if (code !== 'CONFLICT') return <FormError message={error.message} />
  return (
    <Alert color="orange" p="xs" role="alert" icon={<IconAlertTriangle size={16} />}>
      <strong>{email}</strong> is already a member of {organization.name}. Change their role under{' '}
      <Link to="/o/$orgId/settings/members" params={{ orgId: organization.id }}>
        Members
      </Link>
      .
    </Alert>
  )
}

function NotApproved({ email, onApproved }: Pick<Props, 'email' | 'onApproved'>) {
  const isSuperAdmin = useSuperAdmin()
  const approving = useApprove()
  const domain = email.slice(email.lastIndexOf('@'))
  return (
    <Alert color="orange" p="xs" role="alert" icon={<IconAlertTriangle size={16} />}>
      <div className={form.tight}>
        <span>
          <strong>{email}</strong> is not approved for this service.{' '}
          {isSuperAdmin
            ? 'Approve the address here, or its whole domain under Platform.'
            : `Ask a super admin to approve it, or all of ${domain}, then invite again.`}
        </span>
        {isSuperAdmin && (
          <div>
            <Button
              variant="default"
              loading={approving.isPending}
              onClick={() =>
                approving.mutate({ pattern: email }, { onSuccess: () => onApproved() })
              }
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
