import type { SsoConfig } from '@assay/contract/sso.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { useWriteSso } from '../../api/sso.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import styles from './sso.module.css'
import { draftOf, enforceDisabledReason, toSsoConfigInput } from './sso-draft.ts'

interface Props {
  readonly orgId: string
  readonly config: SsoConfig
  readonly isDirty: boolean
}

/** Makes single sign-on the only way in for its domains, once it has been shown to work. */
export function EnforceSwitch({ orgId, config, isDirty }: Props) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const writing = useWriteSso(orgId)
  const disabledReason =
    config.enforced && !isDirty ? undefined : enforceDisabledReason(config, isDirty)
  const verified = config.domains.filter(({ verified_at }) => verified_at !== null)
  const set = (enforced: boolean) => writing.mutate(toSsoConfigInput(draftOf(config), enforced))
  return (
    <>
      <Switch
        label="Enforce single sign-on"
        description={
          disabledReason ??
          'Passwords stop working for addresses of the verified domains. Super admins keep theirs: somebody must get in when the provider does not answer.'
        }
        checked={config.enforced}
        disabled={disabledReason !== undefined || writing.isPending}
        onChange={(event) => {
          if (event.currentTarget.checked) setDialogOpen(true)
          else set(false)
        }}
      />
      {!isDialogOpen && <FormError message={writing.error?.message} />}
      <ConfirmDialog
        isOpen={isDialogOpen}
        title="Enforce single sign-on?"
        confirmLabel="Enforce"
        isHarmless
        error={writing.error?.message}
        isPending={writing.isPending}
        onConfirm={() => set(true)}
        onClose={() => {
          writing.reset()
          setDialogOpen(false)
        }}
      >
        <p>
          Everybody with an address of{' '}
          <strong>{verified.map(({ domain }) => domain).join(', ')}</strong> signs in through the
          provider from now on, and only so.
        </p>
        <p className={styles.text}>
          All their sessions that began with a password end at once; yours here goes on. Super
          admins keep their passwords.
        </p>
      </ConfirmDialog>
    </>
  )
}
