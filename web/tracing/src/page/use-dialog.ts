import { useState } from 'react'

export interface DialogState<T> {
  /** What the dialog is about; stays while it fades out. */
  readonly target: T | undefined
  readonly isOpen: boolean
  readonly open: (target: T) => void
  readonly close: () => void
}

/** A dialog about one thing of many. */
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
