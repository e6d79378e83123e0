import { SegmentedControl, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { TimeRange } from '../../filter/TimeRange.tsx'
import { useTypedText } from '../../filter/use-typed-text.ts'
import type { TraceSearch } from './trace-search.ts'
import styles from './traces.module.css'

interface Props {
  readonly search: TraceSearch
  readonly searchBox: RefObject<HTMLInputElement | null>
  readonly onChange: (next: TraceSearch) => void
}

/** What the list can be narrowed by. */
export function FilterBar({ search, searchBox, onChange }: Props) {
  const name = useTypedText(search.name ?? '', (text) => {
    const { name: _, ...rest } = search
    onChange(text === '' ? rest : { ...rest, name: text })
  })
  return (
    <div className={styles.bar} role="search" aria-label="Filter traces">
      <TextInput
        ref={searchBox}
        size="xs"
        className={styles.search}
        placeholder="Search by name"
        aria-label="Search by name"
        aria-keyshortcuts="/"
        leftSection={<IconSearch size={14} />}
        rightSection={<kbd className={styles.key}>/</kbd>}
        maxLength={512}
        value={name.text}
        onChange={(event) => name.type(event.currentTarget.value)}
        onBlur={name.settle}
        onKeyDown={(event) => {
          if (event.key === 'Enter') name.settle()
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <SegmentedControl
        aria-label="Status"
        data={[
          { value: '', label: 'All' },
          { value: 'OK', label: 'OK' },
          { value: 'ERROR', label: 'Error' },
        ]}
        value={search.status ?? ''}
        onChange={(value) => {
          const { status: _, ...rest } = search
          onChange(value === 'OK' || value === 'ERROR' ? { ...rest, status: value } : rest)
        }}
      />
      <TimeRange
        search={search}
        onChange={(time) => {
          const { range: _, from: __, to: ___, ...rest } = search
          onChange({ ...rest, ...time })
        }}
      />
    </div>
  )
}
