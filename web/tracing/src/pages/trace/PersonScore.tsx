import type { Score } from '@assay/contract/scores.ts'
import { TextButton } from '@assay/ui/TextButton.tsx'
import type { ReactNode } from 'react'
import results from '../../evaluation/evaluation-result.module.css'
import { formatScore, outcomes } from '../../evaluation/score-format.ts'
import styles from './evaluations.module.css'

interface Props {
  readonly score: Score
  /** Shown for scores under a name of their own. */
  readonly name?: string
  /** The span that it is of. */
  readonly of?: ReactNode | undefined
  readonly isOwn: boolean
  /** Omitted where the person may not change it. */
  readonly onEdit?: (() => void) | undefined
  readonly onRemove?: (() => void) | undefined
}

/** What one person thinks. */
export function PersonScore({ score, name, of, isOwn, onEdit, onRemove }: Props) {
  const scored = name ?? score.name
  return (
    <li>
      <div className={results.head}>
        {name !== undefined && <strong>{name}</strong>}
        {of !== undefined && <span>on {of}</span>}
        <span>{isOwn ? 'You' : (score.author_name ?? 'Former member')}</span>
        <span className={styles.verdict} data-passed={score.passed}>
          {score.passed ? outcomes.passed : outcomes.failed}
        </span>
        <span className={results.score}>{formatScore(score.score)}</span>
        {onEdit !== undefined && (
          <TextButton onClick={onEdit} aria-label={`Edit your score: ${scored}`}>
            Edit
          </TextButton>
        )}
        {onRemove !== undefined && (
          <TextButton onClick={onRemove} aria-label={`Remove your score: ${scored}`}>
            Remove
          </TextButton>
        )}
      </div>
      {score.reasoning !== '' && <p className={styles.personReason}>{score.reasoning}</p>}
    </li>
  )
}
