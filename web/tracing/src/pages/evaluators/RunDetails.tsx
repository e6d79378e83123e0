import { type EvaluatorCollection, isJudge } from '@assay/contract/evaluators.ts'
import type { EvaluationJob } from '@assay/contract/jobs.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { scoreStatsQuery } from '../../api/scores.ts'
import { reasonOf } from '../../evaluation/score-format.ts'
import { CodeText } from '../../parts/CodeText.tsx'
import styles from './evaluators.module.css'
import { toFailedSearch } from './run-format.ts'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly job: EvaluationJob
  readonly collection: EvaluatorCollection | undefined
}

/** What went wrong in a run: results that are not scored, and links to the traces that failed. */
export function RunDetails({ orgId, projectId, job, collection }: Props) {
  const { results_failed, results_not_scored, not_scored_reason } = job.details
  return (
    <div className={styles.failures}>
      {results_not_scored > 0 && (
        <p>
          {countOf(results_not_scored, 'result is', 'results are')} not scored.{' '}
          {not_scored_reason !== null && (
            <>
              The first reason: <CodeText text={reasonOf({ reasoning: not_scored_reason })} />{' '}
            </>
          )}
          The Evaluations tab of each evaluated trace has its own.
          {collection?.evaluators.some(isJudge) === true && (
            <>
              {' '}
              If the model failed, test it under{' '}
              <Link to="/o/$orgId/settings/models" params={{ orgId }}>
                Models
              </Link>
              .
            </>
          )}
        </p>
      )}
      {results_failed === 0 ? (
        <p>No evaluator failed a trace.</p>
      ) : collection === undefined ? (
        <p>The collection was deleted.</p>
      ) : (
        <FailureLinks projectId={projectId} job={job} collection={collection} />
      )}
    </div>
  )
}

interface FailureProps extends Omit<Props, 'orgId' | 'collection'> {
  readonly collection: EvaluatorCollection
}

/** One for each evaluator that any trace of the last 30 days failed. */
function FailureLinks({ projectId, job, collection }: FailureProps) {
  const { data: stats, error } = useQuery(scoreStatsQuery(projectId))
  if (stats === undefined) return <p>{error?.message ?? 'Loading…'}</p>
  const failing = new Set(
    stats.groups
      .filter(({ buckets }) => buckets.some(({ pass_rate }) => pass_rate !== null && pass_rate < 1))
      .map(({ evaluator_id: id }) => id),
  )
  const links = collection.evaluators.flatMap((evaluator) => {
    const search = failing.has(evaluator.id) ? toFailedSearch(job, [evaluator]) : undefined
    return search === undefined ? [] : [{ evaluator, search }]
  })
  if (links.length === 0) return <p>No evaluator of the collection has failed traces any more.</p>
  return (
    <>
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
    </>
  )
}
