import type { EvaluationRun } from '@assay/contract/evaluations.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { evaluationRunsQuery } from '../../api/evaluations.ts'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useProject } from '../../shell/use-project.ts'
import { EvaluateForm } from './EvaluateForm.tsx'
import { EvaluationResultRow } from './EvaluationResultRow.tsx'
import styles from './evaluations.module.css'
import { summarizeRun } from './run-summary.ts'
import views from './views.module.css'

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly onSelect: (spanId: string) => void
}

/** The last evaluation runs of the trace, and a new one. */
export function EvaluationsView({ projectId, traceId, onSelect }: Props) {
  const current = useProject()
  const runs = useQuery(evaluationRunsQuery(projectId, traceId))
  const canRun = current?.can('run_agents') === true || current?.can('manage_agents') === true
  if (runs.isPending) return <TableSkeleton rows={4} />
  if (runs.isLoadingError) {
    return <RequestProblem error={runs.error} onRetry={() => void runs.refetch()} />
  }
  return (
    <div className={views.view}>
      {canRun && current !== undefined && (
        <EvaluateForm orgId={current.organization.id} projectId={projectId} traceId={traceId} />
      )}
      {runs.data.length === 0 && (
        <EmptyState icon={<IconChecklist size={20} />} title="Not evaluated yet">
          {canRun
            ? 'Choose a collection of evaluators to run on this trace.'
            : 'Members with the role Editor or above can evaluate this trace.'}
        </EmptyState>
      )}
      {runs.data.map((run, index) => (
        <RunView key={run.runId} run={run} isOpen={index === 0} onSelect={onSelect} />
      ))}
    </div>
  )
}

interface RunProps {
  readonly run: EvaluationRun
  readonly isOpen: boolean
  readonly onSelect: (spanId: string) => void
}

function RunView({ run, isOpen, onSelect }: RunProps) {
  const [first] = run.results
  return (
    <details className={styles.run} open={isOpen}>
      <summary className={styles.summary}>
        <strong>{summarizeRun(run)}</strong>
        <span className="dimmed">
          {first !== undefined && <TimeText at={first.created_at} withAge />}
        </span>
      </summary>
      <ul className={styles.results}>
        {run.results.map((result) => (
          <EvaluationResultRow key={result.id} result={result} onSelect={onSelect} />
        ))}
      </ul>
    </details>
  )
}
