import type { CostRun, RunResult, RunResultStatus } from '@assay/contract/cost-runs.ts'
import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import { formatCost } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { resultKey } from '../../api/live-runs.ts'
import { formatScore } from '../../evaluation/score-format.ts'
import { TwoLines } from '../../page/TwoLines.tsx'
import { categoryLabels } from '../../scenarios/category-labels.ts'
import styles from './cost-calculator.module.css'
import type { ModelResults } from './model-results.ts'

interface Props {
  readonly run: CostRun
  readonly models: readonly ModelResults[]
}

/** A row for each scenario and a column for each model; each cell opens its trace. */
export function ResultGrid({ run, models }: Props) {
  const byKey = useMemo(
    () => new Map(run.results.map((one) => [resultKey(one), one])),
    [run.results],
  )
  const columns: readonly Column<ScenarioSummary>[] = [
    {
      ...{ key: 'scenario', header: 'Scenario', isRowHeader: true, width: 260 },
      cell: ({ name, category }) => <TwoLines below={categoryLabels[category]}>{name}</TwoLines>,
    },
    ...models.map(({ configId, label }) => ({
      ...{ key: configId, header: label, width: 170 },
      cell: ({ id }: ScenarioSummary) => (
        <Cell
          projectId={run.project_id}
          result={byKey.get(resultKey({ scenario_id: id, model_config_id: configId }))}
        />
      ),
    })),
  ]
  return (
    <DataTable
      caption="Results by scenario"
      rows={run.scenarios}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
    />
  )
}

const labels: Readonly<Record<RunResultStatus, string>> = {
  completed: 'Completed',
  limit_reached: 'Limit reached',
  failed: 'Failed',
}

interface CellProps {
  readonly projectId: string
  readonly result: RunResult | undefined
}

function Cell({ projectId, result }: CellProps) {
  if (result === undefined) return <span className="dimmed">Not run</span>
  const { trace_id: traceId, status, score, cost_usd: cost, latency_ms: latency, error } = result
  const mark = <StatusMark isError={status !== 'completed'} word={labels[status]} />
  const facts = [
    ...(score === null ? [] : [`score ${formatScore(score)}`]),
    formatCost(cost),
    formatDuration(latency),
  ]
  return (
    <TwoLines below={error === null ? <Facts texts={facts} /> : <span title={error}>{error}</span>}>
      {traceId === null ? (
        mark
      ) : (
        <Link to="/p/$projectId/traces/$traceId" params={{ projectId, traceId }}>
          {mark}
        </Link>
      )}
    </TwoLines>
  )
}

/** Lines do not break between a number and its unit. */
function Facts({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text, at) => (
    <span key={text}>
      {at > 0 && ', '}
      <span className={styles.unbroken}>{text}</span>
    </span>
  ))
}
