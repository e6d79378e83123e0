import { limits } from '@assay/contract/limits.ts'
import { commandKey } from '@assay/ui/shortcut-keys.ts'
import { useDebouncedInput } from '@assay/ui/use-debounced-input.ts'
import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import styles from './sidebar.module.css'

interface Props {
  readonly value: string
  readonly onCommit: (text: string) => void
}

/** Searches the titles of conversations. */
export function SearchInput({ value, onCommit }: Props) {
  const { text, type, flush } = useDebouncedInput(value, onCommit)
  return (
    <TextInput
      size="xs"
      type="search"
      aria-label="Search titles"
      placeholder="Search titles"
      aria-keyshortcuts="Control+K Meta+K /"
      maxLength={limits.conversationSearchLength.value}
      data-conversation-search
      leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
      rightSectionWidth={text === '' ? 52 : undefined}
      rightSection={
        text === '' ? (
          <kbd className={styles.key} aria-hidden>
            {commandKey} K
          </kbd>
        ) : (
          <CloseButton
            size="sm"
            aria-label="Clear search"
            onClick={() => {
              type('')
              onCommit('')
            }}
          />
        )
      }
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={flush}
      onKeyDown={(event) => {
        if (event.key === 'Enter') flush()
        if (event.key !== 'Escape') return
        if (text === '') return event.currentTarget.blur()
        event.stopPropagation()
        type('')
        onCommit('')
      }}
    />
  )
}
