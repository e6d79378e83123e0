import type { Trace } from '@assay/contract/traces.ts'
import { formatAge, instantMs } from '@assay/ui/time-format.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recentTracesQuery } from '../../api/found-traces.ts'
import { ignoreEnter } from '../../form/ignore-enter.ts'
import { TraceExcerpt } from '../../parts/TraceExcerpt.tsx'
import styles from './trial.module.css'

interface Props {
  readonly projectId: string
  readonly traceId: string | null
  readonly onChange: (traceId: string) => void
}

const debounceMs = 150

/** Chooses a trace of the project: a recent one, one by its name, or any by its ID. */
export function TracePicker({ projectId, traceId, onChange }: Props) {
  const [search, setSearch] = useState(traceId ?? '')
  // The text of the chosen trace is no search.
  const [text] = useDebouncedValue(search === traceId ? '' : search.trim(), debounceMs)
  const { data = [], isFetching } = useQuery({
    ...recentTracesQuery(projectId, text),
    placeholderData: keepPreviousData,
  })
  const found = new Map(data.map((trace) => [trace.trace_id, trace]))
  const ids = new Set([...found.keys(), ...[traceId ?? '', text].filter(isTraceId)])
  const nowMs = useNow(1_000)
  return (
    <Select
      label="Trace"
      placeholder="Search by name, or paste an ID"
      data={[...ids]}
      value={traceId}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span className={styles.option}>
          <span>{found.get(option.value)?.root_name || option.value}</span>
          <span className="dimmed">{aboutTrace(option.value, found.get(option.value), nowMs)}</span>
          {found.has(option.value) && <TraceExcerpt projectId={projectId} traceId={option.value} />}
        </span>
      )}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No traces with this name'}
      allowDeselect={false}
      spellCheck={false}
      onKeyDown={ignoreEnter}
      className={styles.choice}
    />
  )
}

/** IDs have no whitespace. Short text rather is a name. */
function isTraceId(text: string): boolean {
  return /^\S{4,}$/.test(text)
}

function aboutTrace(traceId: string, trace: Trace | undefined, nowMs: number): string {
  if (trace === undefined) return 'use as the ID of a trace'
  return `${formatAge(instantMs(trace.started_at), nowMs)}, ${traceId}`
}
