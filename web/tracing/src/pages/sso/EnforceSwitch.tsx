import type { SsoConfig } from '@assay/contract/sso.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Switch } from '@mantine/core'
import { useWriteSso } from '../../api/sso.ts'
import { enforceDisabledReason, toDraft, toSsoConfigInput } from './sso-draft.ts'

interface Props {
  readonly orgId: string
  readonly config: SsoConfig
  readonly isDirty: boolean
}

/** Requires single sign-on for its domains, once a test has succeeded. */
export function EnforceSwitch({ orgId, config, isDirty }: Props) {
  const enforcing = useDialog<null>()
  const writing = useWriteSso(orgId)
  const disabledReason =
    config.enforced && !isDirty ? undefined : enforceDisabledReason(config, isDirty)
  const verified = config.domains.filter(({ verified_at }) => verified_at !== null)
  return (
    <>
      <Switch
        label="Require single sign-on"
        description={
          disabledReason ??
          'Passwords stop working for addresses of the verified domains. Super admins keep theirs, for when the provider is down.'
        }
        checked={config.enforced}
        disabled={disabledReason !== undefined || writing.isPending}
        onChange={(event) => {
          if (event.currentTarget.checked) enforcing.open(null)
          else writing.mutate(toSsoConfigInput(toDraft(config), false))
        }}
      />
      {!enforcing.isOpen && <FormError message={writing.error?.message} />}
      <ConfirmDialog
        dialog={enforcing}
        mutation={writing}
        variables={() => toSsoConfigInput(toDraft(config), true)}
        title="Require single sign-on?"
        confirmLabel="Require"
        isHarmless
      >
        <p>
          Anyone with an address at{' '}
          <strong>{verified.map(({ domain }) => domain).join(', ')}</strong> has to sign in through
          the provider from now on.
        </p>
        <p>
          Their sessions that were started with a password end at once, except this one. Super
          admins keep their passwords.
        </p>
      </ConfirmDialog>
    </>
  )
}
