import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import type { EvaluationResult, EvaluationRun } from '@assay/contract/evaluations.ts'
import type { EvaluationJob } from '@assay/contract/jobs.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { TextButton } from '@assay/ui/TextButton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { collectionsQuery, evaluationRunsQuery, useCollectionName } from '../../api/evaluations.ts'
import { jobsQuery } from '../../api/jobs.ts'
import { peopleScoresQuery } from '../../api/scores.ts'
import { useLiveTraces } from '../../api/use-live-traces.ts'
import { EvaluationResultRow } from '../../evaluation/EvaluationResultRow.tsx'
import resultStyles from '../../evaluation/evaluation-result.module.css'
import { findJobOfRun } from '../../evaluation/find-job-of-run.ts'
import { useProject } from '../../shell/use-project.ts'
import { EvaluateForm } from './EvaluateForm.tsx'
import styles from './evaluations.module.css'
import { findReviewed } from './find-reviewed.ts'
import { NamedScores } from './NamedScores.tsx'
import { ResultReview } from './ResultReview.tsx'
import { findCollectionOfRun, partResults, summarizeRun } from './run-summary.ts'
import { type PeopleScores, usePeopleScores } from './use-people-scores.ts'
import views from './views.module.css'

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly nameOfSpan: (spanId: string) => string
  readonly onSelect: (spanId: string) => void
}

/** The last evaluation runs of the trace beside scores of people, and new ones of both. */
export function EvaluationsView({ projectId, traceId, nameOfSpan, onSelect }: Props) {
  const { organization } = useProject()
  const runs = useQuery(evaluationRunsQuery(projectId, traceId))
  const jobs = useQuery(jobsQuery(projectId, 'evaluation'))
  const people = usePeopleScores(projectId, traceId)
  useLiveScores(projectId, traceId)
  // The same permissions.
  const { canScore: canRun } = people
  if (runs.isPending) return <TableSkeleton rows={4} />
  if (runs.isLoadingError) {
    return <RequestProblem error={runs.error} onRetry={() => void runs.refetch()} />
  }
  const reviewed = findReviewed(runs.data)
  const evaluatorIds = new Set(
    runs.data.flatMap(({ results }) => results.map((one) => one.evaluator_id)),
  )
  return (
    <div className={views.view}>
      <h2 className={styles.heading}>Evaluators</h2>
      {canRun && <EvaluateForm orgId={organization.id} projectId={projectId} traceId={traceId} />}
      {runs.data.length === 0 && (
        <p className={styles.none}>
          Not evaluated yet.{' '}
          {!canRun && 'Members with the role Editor or above can evaluate this trace.'}
        </p>
      )}
      {runs.data.map((run, index) => (
        <RunView
          key={run.runId}
          run={run}
          job={findJobOfRun(jobs.data, run.runId)}
          isOpen={index === 0}
          people={people}
          reviewed={reviewed}
          onSelect={onSelect}
        />
      ))}
      <h2 className={styles.heading}>People</h2>
      <NamedScores
        people={people}
        // The scores for the other evaluators are with their results.
        scores={people.scores.filter(
          ({ evaluator_id: id }) => id === null || !evaluatorIds.has(id),
        )}
        renderSpan={(spanId) => (
          <TextButton onClick={() => onSelect(spanId)}>{nameOfSpan(spanId)}</TextButton>
        )}
      />
    </div>
  )
}

interface RunProps {
  readonly run: EvaluationRun
  /** The evaluation of many traces that it belongs to. */
  readonly job: EvaluationJob | undefined
  readonly isOpen: boolean
  readonly people: PeopleScores
  /** The ids of the results that people review. */
  readonly reviewed: ReadonlySet<string>
  readonly onSelect: (spanId: string) => void
}

function RunView({ run, job, isOpen, people, reviewed, onSelect }: RunProps) {
  const { organization } = useProject()
  const { data: collections } = useQuery(collectionsQuery(organization.id))
  const [first] = run.results
  const collection =
    job === undefined
      ? findCollectionOfRun(collections, run)
      : collections?.find(({ id }) => id === job.details.collection_id)
  const { applicable, others } = partResults(run.results)
  const list = (results: readonly EvaluationResult[]) => (
    <ul className={resultStyles.results}>
      {results.map((result) => (
        <EvaluationResultRow
          key={result.id}
          result={result}
          renderQuote={({ span_id, quote }) => (
            <TextButton onClick={() => onSelect(span_id)}>{quote}</TextButton>
          )}
        >
          {reviewed.has(result.id) && <ResultReview result={result} people={people} />}
        </EvaluationResultRow>
      ))}
    </ul>
  )
  return (
    <details className={styles.run} open={isOpen}>
      <summary className={styles.summary}>
        {collection !== undefined && `${collection.name}: `}
        <strong>{summarizeRun(run)}</strong>
        <span className="dimmed">
          {first !== undefined && <TimeText at={first.created_at} withAge />}
        </span>
      </summary>
      {job !== undefined && <RunSource job={job} />}
      {applicable.length > 0 && list(applicable)}
      {others.length > 0 && (
        <details className={styles.others} open={applicable.length === 0}>
          <summary className={styles.summary}>
            {countOf(others.length, 'evaluator does', 'evaluators do')} not apply to this trace
          </summary>
          {list(others)}
        </details>
      )}
    </details>
  )
}

function RunSource({ job }: { readonly job: EvaluationJob }) {
  const { organization, project } = useProject()
  const collectionName = useCollectionName(organization.id)
  return (
    <p className={styles.source}>
      {collectionName(job.details.collection_id)} on many traces, started{' '}
      <TimeText at={job.created_at} />
      <LinkButton
        to="/p/$projectId/evaluators/runs"
        params={{ projectId: project.id }}
        variant="subtle"
        size="compact-xs"
      >
        Runs
      </LinkButton>
    </p>
  )
}

/** Refetches the results and scores of a trace when somebody adds one. */
function useLiveScores(projectId: string, traceId: string): void {
  const queryClient = useQueryClient()
  useLiveTraces(projectId, {
    isOn: true,
    onTraces(traces) {
      if (!traces.some(({ trace_id }) => trace_id === traceId)) return
      for (const { queryKey } of [
        evaluationRunsQuery(projectId, traceId),
        peopleScoresQuery(projectId, traceId),
      ])
        void queryClient.invalidateQueries({ queryKey })
    },
    onConnected: () => Promise.resolve(),
  })
}
