import { useState } from 'react'

export interface Asked<T> {
  /** What the dialog is about; stays while it fades out. */
  readonly subject: T | undefined
  readonly isOpen: boolean
  readonly ask: (subject: T) => void
  readonly close: () => void
}

/** A dialog about one thing of many. */
export function useAsked<T>(): Asked<T> {
  const [subject, setSubject] = useState<T>()
  const [isOpen, setOpen] = useState(false)
  return {
    subject,
    isOpen,
    ask(next) {
      setSubject(next)
      setOpen(true)
    },
    close: () => setOpen(false),
  }
}
