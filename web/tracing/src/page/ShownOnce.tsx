import form from '@assay/account/form/form.module.css'
import { Snippet } from '@assay/ui/Snippet.tsx'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useDialogGuard } from './dialog-guard.ts'

interface Props {
  /** Describes the secret and what to do with it. */
  readonly children: ReactNode
  readonly secret: string
  /** `Copy the tracing key`. */
  readonly copyLabel: string
  readonly closeLabel?: string
  readonly onClose: () => void
  readonly actions?: ReactNode
}

/** A secret in a `FormDialog`, which cannot be shown again. */
export function ShownOnce(props: Props) {
  const { children, secret, copyLabel, closeLabel = 'I have copied it', onClose, actions } = props
  useDialogGuard()
  return (
    <div className={form.fields} role="status">
      <div className={form.message}>{children}</div>
      <Snippet text={secret} copyLabel={copyLabel} isWrapped />
      <div className={form.buttons}>
        {actions}
        <Button onClick={onClose}>{closeLabel}</Button>
      </div>
    </div>
  )
}
