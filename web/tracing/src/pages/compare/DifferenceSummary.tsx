import { formatCount } from '@assay/ui/number-format.ts'
import styles from './compare.module.css'
import { type ComparedSpan, countDifferences, type Difference } from './differences.ts'

interface Props {
  readonly spans: readonly ComparedSpan[]
  /** All spans are loaded and their outputs compared. */
  readonly isComplete: boolean
}

/** The number of spans per kind of difference. */
export function DifferenceSummary({ spans, isComplete }: Props) {
  const counts = countDifferences(spans)
  const counted = summaryOrder.filter((difference) => counts[difference] !== undefined)
  return (
    <ul className={styles.summary} aria-label="Differences between A and B">
      {counted.length === 0 && <li>{isComplete ? 'No differences' : 'No differences so far'}</li>}
      {counted.map((difference) => {
        const { one, many = one } = summaryLabels[difference]
        const count = counts[difference] ?? 0
        return (
          <li key={difference}>
            <strong>{formatCount(count)}</strong> {count === 1 ? one : many}
          </li>
        )
      })}
    </ul>
  )
}

const summaryLabels: Readonly<
  Record<Difference, { readonly one: string; readonly many?: string }>
> = {
  added: { one: 'added in B' },
  missing: { one: 'missing in B' },
  slower: { one: 'slower' },
  faster: { one: 'faster' },
  costlier: { one: 'more expensive' },
  cheaper: { one: 'cheaper' },
  unpriced: { one: 'with a known cost on one side only' },
  tokens: { one: 'different token count', many: 'different token counts' },
  renamed: { one: 'different name or kind', many: 'different names or kinds' },
  status: { one: 'different status', many: 'different statuses' },
  output: { one: 'different output', many: 'different outputs' },
}

const summaryOrder = Object.keys(summaryLabels) as readonly Difference[]
