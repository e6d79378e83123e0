import { useState } from 'react'

export interface DialogState<T> {
  /** The subject of the dialog, also while it fades out. */
  readonly target: T | undefined
  readonly isOpen: boolean
  readonly open: (target: T) => void
  readonly close: () => void
}

/** The state of a dialog about one thing of many; of type `null`, about nothing in particular. */
export function useDialog<T>(): DialogState<T> {
  const [target, setTarget] = useState<T>()
  const [isOpen, setOpen] = useState(false)
  return {
    target,
    isOpen,
    open(next) {
      setTarget(next)
      setOpen(true)
    },
    close: () => setOpen(false),
  }
}
