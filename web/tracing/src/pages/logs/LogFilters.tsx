import { type SearchChange, updateSearch } from '@assay/account/routes/search-params.ts'
import { limits } from '@assay/contract/limits.ts'
import { IconSearch } from '@tabler/icons-react'
import { TextFilter } from '../../filter/TextFilter.tsx'
import { TimeRange } from '../../filter/TimeRange.tsx'
import { SeveritySelect } from '../../log-records/SeveritySelect.tsx'
import type { LogSearch } from './log-search.ts'
import styles from './logs.module.css'

interface Props {
  readonly search: LogSearch
  readonly onChange: (next: LogSearch) => void
}

export function LogFilters({ search, onChange }: Props) {
  const change = (part: SearchChange<LogSearch>) => onChange(updateSearch(search, part))
  return (
    <>
      <TextFilter
        label="Search body and attributes"
        className={styles.search ?? ''}
        leftSection={<IconSearch size={14} />}
        value={search.q}
        maxLength={limits.searchLength.value}
        onChange={(q) => change({ q })}
      />
      <SeveritySelect value={search.severity} onChange={(severity) => change({ severity })} />
      {labelFilters.map(([name, label, { value: maxLength }]) => (
        <TextFilter
          key={name}
          label={label}
          className={styles.short ?? ''}
          value={search[name]}
          maxLength={maxLength}
          onChange={(text) => change({ [name]: text })}
        />
      ))}
      <TimeRange search={search} onChange={onChange} />
    </>
  )
}

const labelFilters = [
  ['service', 'Service', limits.searchLength],
  ['event_name', 'Event name', limits.eventNameLength],
  ['trace_id', 'Trace ID', limits.traceIdLength],
] as const
