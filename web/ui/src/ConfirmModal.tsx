import { Button, Modal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import styles from './dialog.module.css'
import { FormError } from './FormError.tsx'
import type { DialogState } from './use-dialog.ts'
import { type SingleFlightCallbacks, useSingleFlight } from './use-single-flight.ts'

interface Mutation<Variables> {
  readonly mutate: (variables: Variables, callbacks: SingleFlightCallbacks<unknown>) => void
  readonly reset: () => void
  readonly isPending: boolean
  readonly error: Error | null
}

export interface ConfirmProps<Target, Variables> {
  readonly dialog: DialogState<Target>
  readonly mutation: Mutation<Variables>
  /** The variables of the mutation. */
  readonly variables: (target: Target) => Variables
  /** The question: `Revoke this key?`. */
  readonly title: ReactNode | ((target: Target) => ReactNode)
  /** What happens on confirmation, and what is kept. */
  readonly children: ReactNode | ((target: Target) => ReactNode)
  /** The action: `Revoke key`. */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly isHarmless?: boolean
  /** Text that must be typed first, for large losses. */
  readonly typed?: (target: Target) => string
  readonly formatError?: (error: Error) => string
  readonly onDone?: (target: Target) => void
}

/** What `ConfirmDialog` loads. */
export function ConfirmModal<Target, Variables>(props: ConfirmProps<Target, Variables>) {
  const { dialog, mutation, title } = props
  const { target, isOpen } = dialog
  function close(): void {
    mutation.reset()
    dialog.close()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={target === undefined ? '' : resolve(title, target)}
    >
      {target !== undefined && <Question {...props} target={target} close={close} />}
    </Modal>
  )
}

interface QuestionProps<Target, Variables> extends ConfirmProps<Target, Variables> {
  readonly target: Target
  readonly close: () => void
}

function Question<Target, Variables>(props: QuestionProps<Target, Variables>) {
  const { target, dialog, close, mutation, variables, children, confirmLabel, formatError } = props
  const { cancelLabel = 'Cancel', isHarmless = false, typed, onDone } = props
  const [text, setText] = useState('')
  const phrase = typed?.(target)
  // A closed dialog can still be clicked while it fades out.
  const isReady = dialog.isOpen && (phrase === undefined || text.trim() === phrase)
  const mutate = useSingleFlight(mutation)
  const { error } = mutation
  function confirm(): void {
    mutate(variables(target), () => {
      dialog.close()
      onDone?.(target)
    })
  }
  return (
    <form
      className={styles.content}
      onSubmit={(event) => {
        event.preventDefault()
        // A form around the dialog receives its events as well.
        event.stopPropagation()
        if (isReady) confirm()
      }}
    >
      <div className={styles.text}>{resolve(children, target)}</div>
      {phrase !== undefined && (
        <TextInput
          label={
            <>
              Type <code>{phrase}</code> to confirm
            </>
          }
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <FormError message={error === null ? undefined : (formatError?.(error) ?? error.message)} />
      <div className={styles.buttons}>
        <Button
          variant="default"
          onClick={close}
          {...(phrase === undefined ? { 'data-autofocus': true } : {})}
        >
          {cancelLabel}
        </Button>
        <Button
          type="submit"
          disabled={phrase !== undefined && text.trim() !== phrase}
          loading={mutation.isPending}
          {...(isHarmless ? {} : { color: 'red' })}
        >
          {confirmLabel}
        </Button>
      </div>
    </form>
  )
}

function resolve<Target>(
  content: ReactNode | ((target: Target) => ReactNode),
  target: Target,
): ReactNode {
  return typeof content === 'function' ? content(target) : content
}
