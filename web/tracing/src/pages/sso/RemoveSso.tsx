import type { SsoConfig } from '@assay/contract/sso.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRemoveSso } from '../../api/sso.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import page from '../../page/page.module.css'

interface Props {
  readonly orgId: string
  readonly config: SsoConfig
}

/** Takes single sign-on away again. */
export function RemoveSso({ orgId, config }: Props) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const removing = useRemoveSso(orgId)
  function leave(): void {
    removing.reset()
    setDialogOpen(false)
  }
  return (
    <section className={page.section}>
      <h2 className={page.heading}>Remove</h2>
      <p className={page.note}>
        People sign in with passwords again. Whoever has none asks for a link to choose one.
      </p>
      <div>
        <Button color="red" variant="light" onClick={() => setDialogOpen(true)}>
          Remove single sign-on
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isDialogOpen}
        title="Remove single sign-on?"
        confirmLabel="Remove"
        error={removing.error?.message}
        isPending={removing.isPending}
        onConfirm={() => removing.mutate(undefined, { onSuccess: leave })}
        onClose={leave}
      >
        <p>Gone with it, from the next request on:</p>
        <ul>
          <li>the configuration with its stored secret, and the last test</li>
          <li>
            the proof that <strong>{config.domains.map(({ domain }) => domain).join(', ')}</strong>{' '}
            is yours
          </li>
          <li>every session that came in through the provider: those people are signed out</li>
        </ul>
        <p>Accounts and memberships stay.</p>
      </ConfirmDialog>
    </section>
  )
}
