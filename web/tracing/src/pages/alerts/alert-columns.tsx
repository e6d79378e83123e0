import type { AlertRule } from '@assay/contract/alerts.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { TwoLines } from '../../page/TwoLines.tsx'
import { listFilterLabels, toTraceSearch } from '../../parts/filter-labels.ts'
import { AlertStatus } from './AlertStatus.tsx'
import { formatAlertValue, formatCondition } from './alert-labels.ts'
import styles from './alerts.module.css'

export const alertColumns: readonly Column<AlertRule>[] = [
  {
    ...{ key: 'name', header: 'Rule', className: styles.name },
    cell: (rule) => (
      <TwoLines below={[formatCondition(rule), ...formatScope(rule)].join(' · ')}>
        <strong>{rule.name}</strong>
      </TwoLines>
    ),
    sortValue: ({ name }) => name,
  },
  {
    ...{ key: 'status', header: 'Status', narrow: 'bare', className: styles.status },
    cell: ({ state }) => (
      <TwoLines below={state.problem}>
        <AlertStatus status={state.status} />
      </TwoLines>
    ),
    sortValue: ({ state }) => state.status,
  },
  {
    ...{ key: 'value', header: 'Value', align: 'end' },
    hint: 'At the last check',
    cell: ({ metric, state }) => formatAlertValue(metric, state.value),
  },
  {
    ...{ key: 'since', header: 'Since' },
    cell: ({ state }) => <TimeText at={state.since} />,
    sortValue: ({ state }) => state.since,
  },
  {
    ...{ key: 'notifies', header: 'Notifies' },
    cell: formatTargets,
  },
]

function formatScope({ metric, filters }: AlertRule): readonly string[] {
  return metric === 'score_mean' ? [] : listFilterLabels(toTraceSearch(filters), 0)
}

function formatTargets({ recipient_ids, webhook_host }: AlertRule) {
  const people = recipient_ids.length === 0 ? [] : [countOf(recipient_ids.length, 'member')]
  const targets = [...people, ...(webhook_host === null ? [] : [webhook_host])]
  return targets.length === 0 ? <span className="dimmed">Nobody</span> : targets.join(', ')
}
