import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import type { CostEstimate, ModelEstimate } from '@assay/contract/cost-calculator.ts'
import type { CostRun, RunBills } from '@assay/contract/cost-runs.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { formatCost, formatCount } from '@assay/ui/number-format.ts'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { costEstimateQuery } from '../../api/cost-estimate.ts'
import { formatScore } from '../../evaluation/score-format.ts'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CostText } from '../../parts/CostText.tsx'
import { useProject } from '../../shell/use-project.ts'
import { compareWithEstimate } from './compare-estimate.ts'
import styles from './cost-calculator.module.css'
import { ExecutionPanel } from './ExecutionPanel.tsx'
import { useLiveRun } from './live-context.ts'
import { type ModelResults, toModelResults } from './model-results.ts'
import { ResultGrid } from './ResultGrid.tsx'
import { billLabels, totalBill } from './run-labels.ts'

/** Executes a run, and shows its results as they arrive. */
export function ResultsView({ run }: { readonly run: CostRun }) {
  const { organization } = useProject()
  const { data: configs, error, refetch } = useQuery(modelConfigsQuery(organization.id))
  if (configs !== undefined) return <Results run={run} configs={configs} />
  if (error === null) return <TableSkeleton rows={6} />
  return <RequestProblem error={error} onRetry={() => void refetch()} />
}

interface Props {
  readonly run: CostRun
  readonly configs: readonly ModelConfig[]
}

function Results({ run, configs }: Props) {
  const live = useLiveRun(run.id)
  const models = useMemo(() => toModelResults(run, configs), [run, configs])
  const known = models.filter(({ configId }) => configs.some(({ id }) => id === configId))
  const estimate = useRunEstimate(
    run,
    known.map(({ configId }) => configId),
  )
  return (
    <>
      <ExecutionPanel run={run} configs={configs} />
      {run.results.length > 0 && (
        <>
          <section className={page.section} aria-label="Results by model">
            <h2 className={page.heading}>By model</h2>
            <DataTable
              caption="Results by model"
              rows={models}
              columns={columns(run, estimate)}
              rowKey={({ configId }) => configId}
              rowName={({ label }) => label}
            />
            {/* They are read when the execution has ended. */}
            {live?.isActive !== true && <Bills bills={run.cost_usd} />}
          </section>
          <section className={page.section} aria-label="Results by scenario">
            <h2 className={page.heading}>By scenario</h2>
            <ResultGrid run={run} models={models} />
          </section>
        </>
      )}
    </>
  )
}

/** What the estimate predicts for the scenarios of the run; undefined until it is known. */
function useRunEstimate(run: CostRun, configIds: readonly string[]): CostEstimate | undefined {
  const { data } = useQuery({
    ...costEstimateQuery(run.project_id, {
      agent_config: run.agent_config,
      model_config_ids: [...configIds],
      scenario_count: Math.max(1, run.scenarios.length),
      include_multi_turn: run.scenarios.some(({ category }) => category === 'multi_turn'),
    }),
    enabled: configIds.length > 0 && run.results.length > 0,
    staleTime: 60_000,
  })
  return data
}

function columns(
  run: CostRun,
  estimate: CostEstimate | undefined,
): readonly Column<ModelResults>[] {
  const estimateOf = ({ configId }: ModelResults): ModelEstimate | undefined =>
    estimate?.perModel.find(({ modelConfigId }) => modelConfigId === configId)
  return [
    {
      ...{ key: 'model', header: 'Model', className: styles.model },
      cell: ({ label, results, failedCount }) => (
        <TwoLines
          below={`${formatCount(results.length)} of ${formatCount(run.scenarios.length)} scenarios${failedCount === 0 ? '' : `, ${formatCount(failedCount)} failed`}`}
        >
          <strong>{label}</strong>
        </TwoLines>
      ),
    },
    {
      ...{ key: 'cost', header: 'Cost', hint: 'Of the agent, all scenarios', align: 'end' },
      cell: ({ costUsd }) => <CostText usd={costUsd} />,
      sortValue: ({ costUsd }) => costUsd,
    },
    {
      ...{ key: 'each', header: 'Per scenario', align: 'end' },
      hint: 'The mean of those that did not fail',
      cell: ({ costPerScenarioUsd, results, failedCount }) =>
        failedCount === results.length ? (
          <span className="dimmed">—</span>
        ) : (
          <CostText usd={costPerScenarioUsd} />
        ),
      sortValue: ({ costPerScenarioUsd }) => costPerScenarioUsd,
    },
    {
      ...{ key: 'estimate', header: 'Estimated per scenario', narrow: 'labeled' },
      hint: 'The 80% interval, and where the actual cost is',
      cell: (one) => {
        const compared = compareWithEstimate(one, estimateOf(one))
        return compared === undefined ? (
          <span className="dimmed">—</span>
        ) : (
          <TwoLines below={compared.verdict}>{compared.interval}</TwoLines>
        )
      },
    },
    {
      ...{ key: 'latency', header: 'Latency p50, p90', align: 'end' },
      cell: ({ summary }) => <Latency summary={summary} />,
      sortValue: ({ summary }) => summary?.latency_ms_p50 ?? null,
    },
    {
      ...{ key: 'score', header: 'Mean score', hint: 'With its 95% interval', align: 'end' },
      cell: ({ summary }) => <Score summary={summary} />,
      sortValue: ({ summary }) => summary?.mean_score ?? null,
    },
  ]
}

function Latency({ summary }: Pick<ModelResults, 'summary'>) {
  const { latency_ms_p50: p50 = null, latency_ms_p90: p90 = null } = summary ?? {}
  if (p50 === null) return <span className="dimmed">—</span>
  return `${formatDuration(p50)}, ${formatDuration(p90)}`
}

function Score({ summary }: Pick<ModelResults, 'summary'>) {
  if (summary === undefined || summary.mean_score === null) return <span className="dimmed">—</span>
  const { mean_score: mean, score_low: low, score_high: high } = summary
  return (
    <TwoLines
      below={low === null || high === null ? '' : `${formatScore(low)} to ${formatScore(high)}`}
    >
      {formatScore(mean)}
    </TwoLines>
  )
}

function Bills({ bills }: { readonly bills: RunBills }) {
  const parts = (Object.keys(billLabels) as (keyof RunBills)[])
    .filter((name) => bills[name] > 0)
    .map((name) => `${billLabels[name]} ${formatCost(bills[name])}`)
  return (
    <p className={page.note}>
      Spent on this run: {formatCost(totalBill(bills))}
      {parts.length > 0 && ` (${parts.join(', ')})`}. It includes interrupted and repeated
      conversations. Only the agent is a cost in production.
    </p>
  )
}
