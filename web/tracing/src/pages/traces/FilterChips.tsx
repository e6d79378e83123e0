import { formatLocal } from '@assay/ui/time-format.ts'
import { IconX } from '@tabler/icons-react'
import { ranges } from '../../filter/time-range.ts'
import { narrowing, type TraceSearch } from './trace-search.ts'
import styles from './traces.module.css'

interface Props {
  readonly search: TraceSearch
  readonly onChange: (next: TraceSearch) => void
  readonly onClear: () => void
}

/** The filters in force, each to be taken away by itself. */
export function FilterChips({ search, onChange, onClear }: Props) {
  const names = Object.keys(narrowing(search)) as (keyof TraceSearch)[]
  if (names.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Filters in force">
      {names.map((name) => (
        <li key={name}>
          <button
            type="button"
            className={styles.chip}
            aria-label={`Remove filter ${chipText(name, search)}`}
            onClick={() => {
              const { [name]: _, ...rest } = search
              onChange(rest)
            }}
          >
            <span className={styles.chipText}>{chipText(name, search)}</span>
            <IconX size={12} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={styles.clear} onClick={onClear}>
          Clear all
        </button>
      </li>
    </ul>
  )
}

function chipText(name: keyof TraceSearch, search: TraceSearch): string {
  const value = search[name] ?? ''
  if (name === 'status') return `Status: ${value === 'ERROR' ? 'Error' : value}`
  if (name === 'range') return search.range === undefined ? '' : ranges[search.range].label
  if (name === 'from' || name === 'to') {
    return `${name === 'from' ? 'From' : 'Until'} ${formatLocal(Date.parse(value), Date.now())}`
  }
  return `${words[name] ?? name}: ${value}`
}

const words: Readonly<Partial<Record<keyof TraceSearch, string>>> = {
  name: 'Name',
  environment: 'Environment',
  service: 'Service',
  session_id: 'Session',
  user_id: 'User',
}
