import { useState } from 'react'

export interface DialogState<T> {
  /** The subject of the dialog, also while it fades out. */
  readonly target: T | undefined
  readonly isOpen: boolean
  readonly open: (target: T) => void
  readonly close: () => void
}

/** The state of a dialog about one of several items; of type `null` without an item. */
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
