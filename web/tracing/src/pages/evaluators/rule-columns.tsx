import type { EvaluationRule } from '@assay/contract/evaluation-rules.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CostText } from '../../parts/CostText.tsx'
import { defaultColumns } from '../../parts/column-choice.ts'
import { listFilterLabels, toTraceSearch } from '../../parts/filter-labels.ts'
import styles from './evaluators.module.css'
import { formatRate } from './rule-values.ts'
import { scoredTracesColumn } from './scored-traces-column.tsx'

interface Context {
  readonly projectId: string
  readonly collectionName: (rule: EvaluationRule) => string
}

export function ruleColumns({
  projectId,
  collectionName,
}: Context): readonly Column<EvaluationRule>[] {
  return [
    {
      ...{ key: 'name', header: 'Rule', className: styles.name },
      cell: (rule) => (
        <TwoLines below={formatScope(rule)}>
          <TwoLines below={formatReason(rule)}>
            <strong>{rule.name}</strong>
          </TwoLines>
        </TwoLines>
      ),
      sortValue: ({ name }) => name,
    },
    { ...{ key: 'collection', header: 'Collection' }, cell: collectionName },
    {
      ...{ key: 'status', header: 'Status', narrow: 'bare' },
      cell: ({ state }) => <Status state={state} />,
    },
    ...countColumns,
    scoredTracesColumn(projectId, (rule) =>
      rule.state.evaluated_total > 0 ? toScoredSearch(rule) : undefined,
    ),
  ]
}

const countColumns: readonly Column<EvaluationRule>[] = [
  {
    ...{ key: 'evaluated', header: 'Evaluated', align: 'end' },
    cell: ({ state }) => (
      <TwoLines below={`${formatCount(state.evaluated_today)} today`}>
        {formatCount(state.evaluated_total)}
      </TwoLines>
    ),
  },
  {
    ...{ key: 'skipped', header: 'Skipped', align: 'end' },
    hint: 'Matching traces beyond the daily cost or the backlog, or that could not be evaluated',
    cell: ({ state }) => (
      <TwoLines below={`${formatCount(state.skipped_today)} today`}>
        {formatCount(state.skipped_total)}
      </TwoLines>
    ),
  },
  {
    ...{ key: 'cost', header: 'Cost today', align: 'end' },
    cell: ({ state }) => <CostText usd={state.cost_usd_today} />,
  },
  {
    ...{ key: 'last', header: 'Last evaluated' },
    cell: ({ state: { last_evaluated_at: at } }) =>
      at === null ? <span className="dimmed">Never</span> : <TimeText at={at} />,
  },
]

function formatScope({ filters, sample_rate }: EvaluationRule): string {
  const labels = listFilterLabels(toTraceSearch(filters), 0)
  return [formatRate(sample_rate), ...labels].join(', ')
}

/** Why it evaluates no traces although it is enabled. */
function formatReason({ state }: EvaluationRule): string | null {
  if (state.status === 'daily_cost_reached') return 'Skips traces until the next day (UTC).'
  return state.status === 'stopped' ? state.problem : null
}

/** The traces of the filters with their scores. Those that were evaluated otherwise are in it too. */
function toScoredSearch({ filters }: EvaluationRule) {
  const columns = [...defaultColumns.filter((id) => id !== 'models'), 'scores'].join(',')
  return { ...toTraceSearch(filters), has_score: 'true' as const, columns }
}

function Status({ state }: Pick<EvaluationRule, 'state'>) {
  switch (state.status) {
    case 'active':
      return <StatusMark isError={false} word="Active" />
    case 'disabled':
      return <span className="dimmed">Disabled</span>
    case 'stopped':
      return <StatusMark isError word="Stopped" />
    case 'daily_cost_reached':
      return <StatusMark isError word="Daily cost reached" />
  }
}
