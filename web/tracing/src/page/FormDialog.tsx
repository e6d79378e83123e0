import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { DialogGuard } from './dialog-guard.ts'

interface Props<Target> {
  readonly dialog: DialogState<Target>
  readonly title: string | ((target: Target) => string)
  /** A click outside closes the dialog, unless its content could be lost. */
  readonly closeOnClickOutside?: boolean
  readonly size?: 'lg' | 'xl'
  /** The content with its own state, which resets whenever the dialog opens. */
  readonly children: (target: Target, close: () => void) => ReactNode
}

/** A dialog with a form. Open it with the state of `useDialog`. */
export function FormDialog<Target>({ dialog, title, children, ...modal }: Props<Target>) {
  const { target, isOpen, close } = dialog
  const [isGuarded, setGuarded] = useState(false)
  const guard = isGuarded ? { closeOnClickOutside: false, closeOnEscape: false } : {}
  const resolvedTitle = typeof title === 'string' || target === undefined ? title : title(target)
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={typeof resolvedTitle === 'string' ? resolvedTitle : ''}
      {...modal}
      {...guard}
    >
      <DialogGuard value={setGuarded}>
        {target !== undefined && children(target, close)}
      </DialogGuard>
    </Modal>
  )
}
