import { SegmentedControl } from '@mantine/core'
import type { RefObject } from 'react'
import { TimeRange } from '../../filter/TimeRange.tsx'
import type { TraceSearch } from '../../parts/trace-search.ts'
import { AddFilter } from './query/AddFilter.tsx'
import type { KnownValues } from './query/completion.ts'
import { QueryBox } from './query/QueryBox.tsx'

interface Props {
  readonly search: TraceSearch
  readonly searchBox: RefObject<HTMLInputElement | null>
  readonly known: KnownValues
  readonly onLoadKnown: () => void
  readonly onChange: (next: TraceSearch) => void
}

export function TraceFilters({ search, searchBox, known, onLoadKnown, onChange }: Props) {
  return (
    <>
      <QueryBox
        search={search}
        input={searchBox}
        known={known}
        onFocus={onLoadKnown}
        onChange={onChange}
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
      <AddFilter search={search} known={known} onOpen={onLoadKnown} onChange={onChange} />
      <TimeRange search={search} onChange={onChange} />
    </>
  )
}
