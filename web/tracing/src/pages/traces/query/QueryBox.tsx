import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type RefObject, useEffect, useId, useRef } from 'react'
import type { TraceSearch } from '../../../parts/trace-search.ts'
import type { KnownValues } from './completion.ts'
import styles from './query.module.css'
import { useQueryBox } from './use-query-box.ts'

interface Props {
  readonly search: TraceSearch
  readonly known: KnownValues
  readonly input: RefObject<HTMLInputElement | null>
  readonly onFocus: () => void
  readonly onChange: (next: TraceSearch) => void
}

/** A text field for search words and `key:value` filters, with completions. */
export function QueryBox({ input, onFocus, ...rest }: Props) {
  const box = useQueryBox({ input, ...rest })
  const { text, problems, offers, chosen, take } = box
  const listId = useId()
  const problemId = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const isOpen = offers.length > 0
  return (
    <div className={styles.box}>
      <TextInput
        ref={input}
        size="xs"
        role="combobox"
        aria-label="Search traces"
        aria-keyshortcuts="/"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={chosen === -1 ? undefined : `${listId}-${chosen}`}
        aria-describedby={problems.length > 0 ? problemId : undefined}
        error={problems.length > 0}
        placeholder="Search, or filter by status:error model:…"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        leftSection={<IconSearch size={14} />}
        rightSection={<kbd className={styles.key}>/</kbd>}
        value={text}
        onChange={box.onChange}
        onSelect={box.onSelect}
        onKeyDown={box.onKeyDown}
        onFocus={() => {
          onFocus()
          box.open()
        }}
        onBlur={box.close}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        className={styles.listbox}
        hidden={!isOpen}
      >
        {offers.map((offer, at) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field keeps the focus and handles the keys
          <div
            key={offer.text}
            id={`${listId}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === chosen}
            className={styles.option}
            // Keeps the focus in the text field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(offer)}
          >
            <span className={styles.optionText}>{offer.label}</span>
            <span className={styles.hint}>{offer.hint}</span>
          </div>
        ))}
      </div>
      <div id={problemId} role="alert" className={styles.problems}>
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
    </div>
  )
}
