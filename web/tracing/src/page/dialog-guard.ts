import { createContext, useContext, useEffect } from 'react'

type SetGuarded = (isGuarded: boolean) => void

/** Of the dialog around its content. */
export const DialogGuard = createContext<SetGuarded>(() => undefined)

/** While it is shown, Escape and a click outside do not close the dialog: the content would be lost. */
export function useDialogGuard(): void {
  const setGuarded = useContext(DialogGuard)
  useEffect(() => {
    setGuarded(true)
    return () => setGuarded(false)
  }, [setGuarded])
}
