import { type CollectedEvaluator, isJudge } from '@assay/contract/evaluators.ts'
import { Link } from '@tanstack/react-router'
import { categoryLabels } from './evaluator-labels.ts'
import styles from './evaluators.module.css'

interface Props {
  readonly projectId: string
  readonly evaluators: readonly CollectedEvaluator[]
}

/** The evaluators of a collection in the order in which they run, linked to the catalogue. */
export function CollectionMembers({ projectId, evaluators }: Props) {
  if (evaluators.length === 0) return <p className={styles.details}>No evaluators.</p>
  return (
    <ol className={styles.members}>
      {evaluators.map((one) => (
        <li key={one.id}>
          <Link
            to="/p/$projectId/evaluators/catalogue"
            params={{ projectId }}
            search={{ q: one.name, open: one.id }}
          >
            {one.name}
          </Link>{' '}
          <span className="dimmed">
            {categoryLabels[one.category]}
            {isJudge(one) && ', needs a model'}
          </span>
        </li>
      ))}
    </ol>
  )
}
