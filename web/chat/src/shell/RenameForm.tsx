import { bodyErrors } from '@assay/account/form/schema-errors.ts'
import { type Conversation, updateConversation } from '@assay/contract/conversations.ts'
import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useRenameConversation } from '../api/conversations.ts'
import type { EncryptionPlace } from '../api/encryption.ts'
import styles from './sidebar.module.css'

interface Props {
  readonly place: EncryptionPlace
  readonly conversation: Conversation
  readonly onClose: () => void
}

/** The title as an input: Enter or leaving it saves, Escape does not. */
export function RenameForm({ place, conversation, onClose }: Props) {
  const [title, setTitle] = useState(conversation.title)
  const [invalid, setInvalid] = useState<string>()
  const renaming = useRenameConversation(place)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The menu that opened this returns the focus to its button first.
    const timer = setTimeout(() => input.current?.select())
    return () => clearTimeout(timer)
  }, [])

  function save(): void {
    const text = title.trim()
    if (text === '' || text === conversation.title) return onClose()
    const error = bodyErrors(updateConversation, { title: text })['title']
    setInvalid(error)
    if (error !== undefined || renaming.isPending) return
    const { id, encrypted } = conversation
    renaming.mutate({ id, encrypted, title: text }, { onSuccess: onClose })
  }

  return (
    <form
      className={styles.rename}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextInput
        ref={input}
        size="xs"
        aria-label="Title"
        value={title}
        readOnly={renaming.isPending}
        error={invalid ?? renaming.error?.message}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onBlur={() => {
          if (renaming.error === null) save()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onClose()
        }}
      />
    </form>
  )
}
