import { type ReactNode, useEffect, useRef } from 'react'
import { type FooterProps, FormFooter } from './FormFooter.tsx'
import styles from './form.module.css'

interface Props extends FooterProps {
  readonly children: ReactNode
}

/** A form of `useMutationForm`: its fields, the error that belongs to none of them, and its buttons. */
export function Form(props: Props) {
  const { form, submitLabel, isSettings = false, children } = props
  const { refusals, onSubmit } = form
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refusals])
  return (
    <form
      ref={element}
      noValidate
      className={
        submitLabel === undefined ? undefined : isSettings ? styles.settings : styles.fields
      }
      onSubmit={onSubmit}
    >
      {children}
      {submitLabel !== undefined && <FormFooter {...props} />}
    </form>
  )
}
