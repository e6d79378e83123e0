import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Histogram as Counted } from '../../../api/histogram.ts'
import type { TimeSearch } from '../../../filter/time-range.ts'
import type { TraceSearch } from '../../../parts/trace-search.ts'
import { Histogram } from './Histogram.tsx'
import styles from './histogram.module.css'

interface Props {
  readonly search: TraceSearch
  readonly histogram: UseQueryResult<Counted>
  readonly onChange: (next: TraceSearch) => void
}

/** The histogram above the list. Keeps its height while loading, to avoid a layout shift. */
export function HistogramPane({ search, histogram, onChange }: Props) {
  const { range, from, to, ...rest } = search
  const before = useRef<TimeSearch>(undefined)
  const { data, isError, isPlaceholderData, refetch } = histogram
  const isBound = range !== undefined || from !== undefined || to !== undefined
  // An empty histogram is only useful to widen a time range.
  if (data?.buckets.length === 0 && !isBound) return null
  if (data === undefined) {
    return (
      <div className={`${styles.container} ${styles.problem}`}>
        {isError && (
          <>
            Could not load traces over time.
            <Button variant="subtle" onClick={() => void refetch()}>
              Retry
            </Button>
          </>
        )}
      </div>
    )
  }
  return (
    <Histogram
      histogram={data}
      isStale={isPlaceholderData}
      onRange={(time) => {
        // Escape restores the range from before the first selection.
        if (from === undefined && to === undefined) before.current = undefined
        before.current ??= {
          ...(range === undefined ? {} : { range }),
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        }
        onChange({ ...rest, ...time })
      }}
      onReset={() => {
        onChange({ ...rest, ...before.current })
        before.current = undefined
      }}
    />
  )
}
