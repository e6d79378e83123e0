import styles from './filter-labels.module.css'

interface Props {
  readonly labels: readonly string[]
}

/** Filters that apply and cannot be changed here. */
export function FilterLabels({ labels }: Props) {
  if (labels.length === 0) return null
  return (
    <ul className={styles.labels} aria-label="Filters">
      {labels.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  )
}
