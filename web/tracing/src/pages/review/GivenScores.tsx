import type { Score } from '@assay/contract/scores.ts'
import { formatScore, outcomes } from '../../evaluation/score-format.ts'
import styles from './review.module.css'

interface Props {
  readonly scores: readonly Score[]
  readonly ownId: string | undefined
}

/** What people have given the trace so far. */
export function GivenScores({ scores, ownId }: Props) {
  if (scores.length === 0) return null
  return (
    <section>
      <h3 className={styles.part}>Scores so far</h3>
      <ul className={styles.given}>
        {scores.map(({ id, author_id, author_name, passed, score, reasoning }) => (
          <li key={`${author_id} ${id}`}>
            {author_id === ownId ? 'You' : (author_name ?? 'Former member')}
            <span className={styles.verdict} data-passed={passed}>
              {passed ? outcomes.passed : outcomes.failed}
            </span>
            <span className="number">{formatScore(score)}</span>
            {reasoning !== '' && <p className={styles.reason}>{reasoning}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
