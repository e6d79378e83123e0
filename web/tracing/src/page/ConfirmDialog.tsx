import { FormError } from '@assay/ui/FormError.tsx'
import { Button, Modal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import form from '../form/form.module.css'

interface Props {
  readonly isOpen: boolean
  /** The question: `Revoke this key?`. */
  readonly title: string
  /** What becomes of it if one goes on, and what stays. */
  readonly children: ReactNode
  /** What goes on: `Revoke key`. */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly isHarmless?: boolean
  /** Has to be typed first, where much would be lost. */
  readonly typed?: string
  readonly error: string | undefined
  readonly isPending: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something is done that is hard to undo, and says what it will cost. */
export function ConfirmDialog({ isOpen, title, onClose, ...rest }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Question {...rest} onClose={onClose} />
    </Modal>
  )
}

function Question({
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  isHarmless = false,
  typed,
  error,
  isPending,
  onConfirm,
  onClose,
}: Omit<Props, 'isOpen' | 'title'>) {
  const [text, setText] = useState('')
  const isReady = typed === undefined || text.trim() === typed
  return (
    <form
      className={form.fields}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onConfirm()
      }}
    >
      <div className={form.told}>{children}</div>
      {typed !== undefined && (
        <TextInput
          label={
            <>
              Type <code>{typed}</code> to confirm
            </>
          }
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <FormError message={error} />
      <div className={form.buttons}>
        <Button
          variant="default"
          onClick={onClose}
          {...(typed === undefined ? { 'data-autofocus': true } : {})}
        >
          {cancelLabel}
        </Button>
        <Button
          type="submit"
          disabled={!isReady}
          loading={isPending}
          {...(isHarmless ? {} : { color: 'red' })}
        >
          {confirmLabel}
        </Button>
      </div>
    </form>
  )
}
