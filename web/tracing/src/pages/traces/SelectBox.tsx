import styles from './traces.module.css'
import type { RowProps } from './use-trace-row.ts'

/** Not a tab stop: `x` selects the focused row. */
export function SelectBox({ trace, isSelected, onSelect, onFocus }: RowProps) {
  const name = trace.root_name === '' ? trace.trace_id : trace.root_name
  return (
    <label className={styles.selectBox}>
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`Select ${name}`}
        checked={isSelected}
        onFocus={() => onFocus(trace.trace_id)}
        onChange={() => onSelect(trace)}
      />
    </label>
  )
}
