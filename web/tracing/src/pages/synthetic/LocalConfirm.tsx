import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'

interface Props {
  readonly dialog: DialogState<null>
  readonly title: string
  readonly confirmLabel: string
  readonly onConfirm: () => void
  /** What is lost. */
  readonly children: ReactNode
}

/** Confirms a change of what is in the browser only. */
export function LocalConfirm({ onConfirm, children, ...dialog }: Props) {
  const mutation = useMutation({ mutationFn: () => Promise.resolve() })
  return (
    <ConfirmDialog {...dialog} mutation={mutation} variables={() => undefined} onDone={onConfirm}>
      {children}
    </ConfirmDialog>
  )
}
