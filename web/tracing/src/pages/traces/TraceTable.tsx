import { type Trace, type TraceOrder, traceOrders } from '@assay/contract/traces.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Sort, TableQuery } from '@assay/ui/table/table-model.ts'
import { useMediaQuery } from '@mantine/hooks'
import { useElementScrollRestoration } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { ColumnId } from '../../parts/column-choice.ts'
import { getTraceName, tableColumns } from './trace-columns.tsx'
import type { Selection } from './use-selection.ts'

interface Props {
  readonly list: TableQuery<Trace>
  readonly total: number | null
  readonly visibleColumns: readonly ColumnId[]
  readonly selection: Selection
  /** Undefined for the newest first. */
  readonly order: TraceOrder | undefined
  readonly onSort: (order: TraceOrder | undefined) => void
  readonly onMoveColumn: (key: string, ontoKey: string) => void
  readonly empty: ReactNode
}

export function TraceTable(props: Props) {
  const { list, total, visibleColumns, selection, order, onSort, onMoveColumn, empty } = props
  const columns = useMemo(() => tableColumns(visibleColumns), [visibleColumns])
  const isNarrow = useMediaQuery('(width < 600px)', false, { getInitialValueInEffect: false })
  const restored = useElementScrollRestoration({ id: scrollId })
  return (
    <DataTable
      caption={order === undefined ? 'Traces, newest first' : 'Traces'}
      rows={list}
      columns={columns}
      rowKey={({ trace_id }) => trace_id}
      rowName={getTraceName}
      selection={{
        isSelected: ({ trace_id }) => selection.has(trace_id),
        onToggle: selection.toggle,
        onToggleAll: selection.toggleAll,
      }}
      sort={toSort(order)}
      onSort={(sort) => onSort(toOrder(sort))}
      onMoveColumn={onMoveColumn}
      empty={empty}
      isFilling
      isRowClickable
      totalRows={total}
      rowHeightPx={isNarrow ? 62 : 41}
      scrollId={scrollId}
      initialScrollTop={restored?.scrollY ?? 0}
    />
  )
}

const scrollId = 'traces'
const defaultOrder: TraceOrder = '-started'

function toSort(order: TraceOrder = defaultOrder): Sort {
  const isDescending = order.startsWith('-')
  return { key: order.replace('-', ''), direction: isDescending ? 'descending' : 'ascending' }
}

function toOrder({ key, direction }: Sort): TraceOrder | undefined {
  const id = direction === 'descending' ? `-${key}` : key
  return traceOrders.find((order) => order === id && order !== defaultOrder)
}
