import { useNow } from '@assay/ui/use-now.ts'
import { IconX } from '@tabler/icons-react'
import type { TraceSearch } from '../trace-search.ts'
import { chipText, termsOf, without } from './filter-words.ts'
import styles from './query.module.css'
import { printTerm } from './query-text.ts'

interface Props {
  readonly search: TraceSearch
  readonly onChange: (next: TraceSearch) => void
  readonly onClear: () => void
}

/** The filters in force, each to be taken away by itself. */
export function FilterChips({ search, onChange, onClear }: Props) {
  const nowMs = useNow(60_000)
  const terms = termsOf(search)
  if (terms.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Filters in force">
      {terms.map((term) => (
        <li key={printTerm(term)}>
          <button
            type="button"
            className={styles.chip}
            title={printTerm(term)}
            aria-label={`Remove filter ${chipText(term, nowMs)}`}
            onClick={() => onChange(without(search, term))}
          >
            <span className={styles.chipText}>{chipText(term, nowMs)}</span>
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
