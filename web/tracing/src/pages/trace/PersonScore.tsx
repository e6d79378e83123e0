import type { Score } from '@assay/contract/scores.ts'
import { TextButton } from '@assay/ui/TextButton.tsx'
import results from '../../evaluation/evaluation-result.module.css'
import { formatScore, outcomes } from '../../evaluation/score-format.ts'
import styles from './evaluations.module.css'

interface Props {
  readonly score: Score
  /** Shown for scores under a name of their own. */
  readonly name?: string
  readonly isOwn: boolean
  /** Omitted where the person may not change it. */
  readonly onEdit?: (() => void) | undefined
  readonly onRemove?: (() => void) | undefined
}

/** What one person thinks. */
export function PersonScore({ score, name, isOwn, onEdit, onRemove }: Props) {
  const of = name ?? score.name
  return (
    <li>
      <div className={results.head}>
        {name !== undefined && <strong>{name}</strong>}
        <span>{isOwn ? 'You' : (score.author_name ?? 'Former member')}</span>
        <span className={styles.verdict} data-passed={score.passed}>
          {score.passed ? outcomes.passed : outcomes.failed}
        </span>
        <span className={results.score}>{formatScore(score.score)}</span>
        {onEdit !== undefined && (
          <TextButton onClick={onEdit} aria-label={`Edit your score: ${of}`}>
            Edit
          </TextButton>
        )}
        {onRemove !== undefined && (
          <TextButton onClick={onRemove} aria-label={`Remove your score: ${of}`}>
            Remove
          </TextButton>
        )}
      </div>
      {score.reasoning !== '' && <p className={styles.personReason}>{score.reasoning}</p>}
    </li>
  )
}
