import { setupQuery } from '@assay/account/api/session.ts'
import type { SsoConfig } from '@assay/contract/sso.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRemoveSso } from '../../api/sso.ts'
import page from '../../page/page.module.css'

interface Props {
  readonly orgId: string
  readonly config: SsoConfig
}

/** Removes single sign-on. */
export function RemoveSso({ orgId, config: { domains } }: Props) {
  const removing = useDialog<null>()
  const setup = useQuery(setupQuery)
  return (
    <section className={page.section}>
      <h2 className={page.heading}>Remove</h2>
      <p className={page.note}>
        Members sign in with passwords again.{' '}
        {setup.data?.mail_configured === true
          ? 'Those without one can request a link to choose one.'
          : 'Those without one need a link from the operator of this service to choose one.'}
      </p>
      <div>
        <Button color="red" variant="light" onClick={() => removing.open(null)}>
          Remove single sign-on
        </Button>
      </div>
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveSso(orgId)}
        variables={() => undefined}
        title="Remove single sign-on?"
        confirmLabel="Remove"
      >
        <p>This removes, effective immediately:</p>
        <ul>
          <li>the configuration with its stored secret, and the last test</li>
          <li>
            the verification of <strong>{domains.map(({ domain }) => domain).join(', ')}</strong>
          </li>
          <li>all sessions that were started with single sign-on</li>
        </ul>
        <p>Accounts and memberships are kept.</p>
      </ConfirmDialog>
    </section>
  )
}
