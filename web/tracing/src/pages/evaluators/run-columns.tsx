import type { EvaluatorCollection } from '@assay/contract/evaluators.ts'
import type { EvaluationJob } from '@assay/contract/jobs.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { Link } from '@tanstack/react-router'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CostText } from '../../parts/CostText.tsx'
import { listFilterLabels, toTraceSearch } from '../../parts/filter-labels.ts'
import styles from './evaluators.module.css'
import { formatRunOutcome, hasScores, toEvaluatedSearch, toFailedSearch } from './run-format.ts'
import { scoredTracesColumn } from './scored-traces-column.tsx'

interface Context {
  readonly projectId: string
  readonly collectionOf: (job: EvaluationJob) => EvaluatorCollection | undefined
  readonly collectionName: (job: EvaluationJob) => string
  readonly personName: (userId: string | null) => string
}

export function runColumns(context: Context): readonly Column<EvaluationJob>[] {
  const { projectId, collectionName, personName } = context
  return [
    {
      ...{ key: 'collection', header: 'Collection' },
      cell: (job) => (
        <TwoLines below={formatFilters(job)}>
          <strong>{collectionName(job)}</strong>
        </TwoLines>
      ),
    },
    {
      ...{ key: 'state', header: 'State', narrow: 'bare', className: styles.outcome },
      cell: (job) => (
        <TwoLines below={formatRunOutcome(job)}>
          <State job={job} />
        </TwoLines>
      ),
    },
    ...resultColumns(context),
    {
      ...{ key: 'cost', header: 'Cost', align: 'end' },
      cell: ({ details }) => <CostText usd={details.cost_usd} />,
    },
    {
      ...{ key: 'started', header: 'Started', className: styles.started },
      cell: ({ created_at, created_by }) => (
        <TwoLines below={personName(created_by)}>
          <TimeText at={created_at} />
        </TwoLines>
      ),
    },
    scoredTracesColumn(projectId, (job) => (hasScores(job) ? toEvaluatedSearch(job) : undefined)),
  ]
}

function resultColumns({ projectId, collectionOf }: Context): readonly Column<EvaluationJob>[] {
  return [
    {
      ...{ key: 'passed', header: 'Passed', align: 'end' },
      cell: ({ details }) => formatCount(details.results_passed),
    },
    {
      ...{ key: 'failed', header: 'Failed', align: 'end' },
      cell: (job) => {
        const count = formatCount(job.details.results_failed)
        const search = toFailedSearch(job, collectionOf(job)?.evaluators ?? [])
        if (search === undefined) return count
        return (
          <Link
            to="/p/$projectId/traces"
            params={{ projectId }}
            search={search}
            aria-label={`${count} failed`}
          >
            {count}
          </Link>
        )
      },
    },
    {
      ...{ key: 'none', header: 'Not applicable', align: 'end' },
      cell: ({ details }) => formatCount(details.results_not_applicable),
    },
    {
      ...{ key: 'errors', header: 'Not scored', align: 'end' },
      cell: ({ details }) => formatCount(details.results_not_scored),
    },
  ]
}

function formatFilters({ details: { filters }, created_at }: EvaluationJob): string {
  const labels = listFilterLabels(toTraceSearch(filters), Date.parse(created_at))
  return labels.length === 0 ? 'All traces' : labels.join(', ')
}

function State({ job }: { readonly job: EvaluationJob }) {
  switch (job.state) {
    case 'completed':
      if (job.details.results_not_scored > 0 && !hasScores(job)) {
        return <StatusMark isError word="Nothing scored" />
      }
      return <StatusMark isError={false} word="Completed" />
    case 'failed':
      return <StatusMark isError word="Failed" />
    case 'cancelled':
      return 'Canceled'
    case 'queued':
      return 'Queued'
    case 'running':
      return 'Running'
  }
}
