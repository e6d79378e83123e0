import {
  type Evidence,
  type TriedResult,
  withoutInstructions,
} from '@assay/contract/evaluations.ts'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CodeText } from '../parts/CodeText.tsx'
import styles from './evaluation-result.module.css'
import { formatScore, type Outcome, outcomeOf, outcomes, reasonOf } from './score-format.ts'

interface Props {
  readonly result: TriedResult
  /** A quote that leads to its span. */
  readonly renderQuote: (evidence: Evidence) => ReactNode
  /** What people think of it. */
  readonly children?: ReactNode
}

const icons = {
  passed: IconCircleCheck,
  failed: IconCircleX,
  not_applicable: IconCircleMinus,
  error: IconAlertTriangle,
} as const satisfies Record<Outcome, unknown>

const verdicts = { yes: 'Yes', no: 'No', not_applicable: 'Not applicable' } as const

/** What an evaluator found. */
export function EvaluationResultRow({ result, renderQuote, children }: Props) {
  const outcome = outcomeOf(result)
  const Icon = icons[outcome]
  const { issues, evidence, criteria } = result
  // The reasoning often is the first issue.
  const others = issues.filter((issue) => !result.reasoning.includes(issue))
  return (
    <li className={styles.result} data-outcome={outcome}>
      <Icon size={16} stroke={1.75} className={styles.icon} aria-hidden />
      <div className={styles.head}>
        <strong>{result.evaluator_name}</strong>
        <span className={styles.outcome}>{outcomes[outcome]}</span>
        {result.status === 'scored' && (
          <span className={styles.score}>{formatScore(result.score)}</span>
        )}
        {result.confidence !== null && (
          <span className="dimmed">
            {Math.round(result.confidence * 100)}% agreement between samples
          </span>
        )}
      </div>
      <p className={styles.reason}>
        <CodeText text={reasonOf(result)} />
      </p>
      {criteria.length > 1 && (
        <ul className={styles.criteria}>
          {criteria.map(({ id, question, verdict }) => (
            <li key={id}>
              {withoutInstructions(question)} <strong>{verdicts[verdict]}</strong>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className={styles.criteria}>
          {others.map((issue, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: issues can repeat and never move
            <li key={index}>
              <CodeText text={issue} />
            </li>
          ))}
        </ul>
      )}
      {evidence.length > 0 && (
        <ul className={styles.quotes} aria-label="Quotes from the trace">
          {evidence.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: quotes can repeat and never move
            <li key={index}>{renderQuote(one)}</li>
          ))}
        </ul>
      )}
      {children}
    </li>
  )
}
