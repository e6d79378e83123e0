import type { EvaluatorCollection } from '@assay/contract/evaluators.ts'
import type { EvaluationJob } from '@assay/contract/jobs.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { scoreStatsQuery } from '../../api/scores.ts'
import styles from './evaluators.module.css'
import { toFailedSearch } from './run-format.ts'

interface Props {
  readonly projectId: string
  readonly job: EvaluationJob
  readonly collection: EvaluatorCollection | undefined
}

/** Links to the failed traces of a run, one for each evaluator that any trace of the last 30 days failed. */
export function FailedByEvaluator({ projectId, job, collection }: Props) {
  const { data: stats, isPending } = useQuery(scoreStatsQuery(projectId))
  if (job.details.results_failed === 0) return <p className={styles.failures}>No trace failed.</p>
  if (collection === undefined) {
    return (
      <p className={styles.failures}>The collection was deleted: its evaluators are unknown.</p>
    )
  }
  if (isPending) return <p className={styles.failures}>Loading…</p>
  const failing = new Set(
    stats?.groups
      .filter(({ buckets }) => buckets.some(({ pass_rate }) => pass_rate !== null && pass_rate < 1))
      .map(({ evaluator_id: id }) => id),
  )
  const links = collection.evaluators.flatMap((evaluator) => {
    const search = failing.has(evaluator.id) ? toFailedSearch(job, [evaluator]) : undefined
    return search === undefined ? [] : [{ evaluator, search }]
  })
  if (links.length === 0) {
    return <p className={styles.failures}>No evaluator of the collection has failures any more.</p>
  }
  return (
    <div className={styles.failures}>
      Traces that fail now, by evaluator:
      <ul className={styles.failureLinks}>
        {links.map(({ evaluator, search }) => (
          <li key={evaluator.id}>
            <Link to="/p/$projectId/traces" params={{ projectId }} search={search}>
              {evaluator.name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
