import { countOf } from '@assay/ui/count-of.ts'
import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconFilter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Stats } from '../../api/stats.ts'
import styles from './dashboard.module.css'
import { GroupName } from './GroupName.tsx'
import { type Aggregates, formatAggregateCost, type MeasureId, measures } from './measures.ts'
import {
  type Group,
  ranked,
  type Split,
  type StatsFilters,
  toGroups,
  toTraceSearch,
} from './stats-groups.ts'

interface Props {
  readonly projectId: string
  readonly stats: Stats
  readonly split: Split
  readonly by: MeasureId
  readonly filters: StatsFilters
  readonly onBy: (by: MeasureId) => void
  readonly onOnly: (value: string) => void
}

const initialRows = 8

/**
 * A sortable table of groups; each row links to its traces. Not a `DataTable`: in a card it is narrower than the
 * width at which those stack the values of a row, and the values of groups are compared by column.
 */
export function Ranking(props: Props) {
  const { stats, split, by, onBy } = props
  const [isWhole, setWhole] = useState(false)
  const groups = ranked(toGroups(stats, split), measures[by])
  const most = Math.max(0, ...groups.map(({ aggregates }) => measures[by].of(aggregates) ?? 0))
  const shown = isWhole ? groups : groups.slice(0, initialRows)
  const { title, many, column } = labels[split]
  const columns = toColumns(split, by)
  return (
    <section className={styles.card} aria-label={title}>
      <h2 className={styles.cardTitle}>{title}</h2>
      {groups.length === 0 ? (
        <p className={styles.none}>{`No ${many} in this time range.`}</p>
      ) : (
        <div className={styles.ranking}>
          <table className={styles.table}>
            <caption className="visually-hidden">
              {title}, sorted by {measures[by].label.toLowerCase()}
            </caption>
            <thead>
              <tr>
                <th scope="col">{column}</th>
                {columns.map(({ id, label }) => (
                  <th
                    key={id}
                    scope="col"
                    className={cellClass(id, by)}
                    aria-sort={id === by ? 'descending' : 'none'}
                  >
                    <button type="button" className={styles.sort} onClick={() => onBy(id)}>
                      {id === by && <IconArrowDown size={12} aria-hidden />}
                      {label}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((group) => (
                <Row
                  key={group.value ?? ''}
                  {...props}
                  {...{ group, columns }}
                  share={most === 0 ? 0 : (measures[by].of(group.aggregates) ?? 0) / most}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {groups.length > initialRows && (
        <button type="button" className={styles.all} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${groups.length}`}
        </button>
      )}
    </section>
  )
}

const labels: Readonly<Record<Split, { title: string; many: string; column: string }>> = {
  name: { title: 'By name', many: 'traces', column: 'Name' },
  model: { title: 'By model', many: 'model calls', column: 'Model' },
  environment: { title: 'By environment', many: 'traces', column: 'Environment' },
  tag: { title: 'By tag', many: 'tagged traces', column: 'Tag' },
}

interface Column {
  readonly id: MeasureId
  readonly label: string
}

/** The default columns, plus the sort column if it is another one. */
function toColumns(split: Split, by: MeasureId): readonly Column[] {
  const usual = ['runs', 'errors', 'p90', 'tokens', 'cost'] as const
  const ids = usual.some((one) => one === by) ? usual : [...usual, by]
  return ids.map((id) => ({
    id,
    label: id === 'runs' && split === 'model' ? 'Calls' : id === 'p90' ? 'p90' : measures[id].label,
  }))
}

interface RowProps extends Props {
  readonly group: Group
  readonly columns: readonly Column[]
  readonly share: number
}

function Row({ group: { value, aggregates }, columns, share, ...props }: RowProps) {
  const { projectId, stats, split, by, filters, onOnly } = props
  const search = toTraceSearch(split, value, stats, filters)
  const isAlone = filters[split] === value
  return (
    <tr>
      <th scope="row" className={styles.named}>
        <GroupName {...{ projectId, value, search, share }} />
        {search !== undefined && value !== null && !isAlone && (
          <ActionIcon
            size="xs"
            className={styles.only}
            aria-label={`Filter by ${value}`}
            title="Filter by this value"
            onClick={() => onOnly(value)}
          >
            <IconFilter size={13} />
          </ActionIcon>
        )}
      </th>
      {columns.map(({ id }) => (
        <td key={id} className={cellClass(id, by)}>
          {id === 'errors' && aggregates.error_count > 0 && search !== undefined ? (
            <Link
              to="/p/$projectId/traces"
              params={{ projectId }}
              search={{ ...search, status: 'ERROR' }}
              className={styles.errors}
              aria-label={`${countOf(aggregates.error_count, 'error')} in ${value}`}
            >
              {aggregates.error_count}
            </Link>
          ) : (
            cellText(id, aggregates)
          )}
        </td>
      ))}
    </tr>
  )
}

/** Narrow screens only show the most important columns and the sort column. */
function cellClass(id: MeasureId, by: MeasureId): string {
  const isSpare = id !== by && (id === 'p90' || id === 'tokens')
  return [styles.number, isSpare ? styles.spare : ''].join(' ')
}

function cellText(id: MeasureId, aggregates: Aggregates): string {
  if (id === 'cost') return formatAggregateCost(aggregates)
  const value = measures[id].of(aggregates)
  return value === null ? '—' : measures[id].format(value)
}
