import type { Trace } from '@assay/contract/traces.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { TableQuery } from '@assay/ui/table/table-model.ts'
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
  readonly onMoveColumn: (key: string, ontoKey: string) => void
  readonly empty: ReactNode
}

export function TraceTable(props: Props) {
  const { list, total, visibleColumns, selection, onMoveColumn, empty } = props
  const columns = useMemo(() => tableColumns(visibleColumns), [visibleColumns])
  const isNarrow = useMediaQuery('(width < 600px)', false, { getInitialValueInEffect: false })
  const restored = useElementScrollRestoration({ id: scrollId })
  return (
    <DataTable
      caption="Traces, newest first"
      rows={list}
      columns={columns}
      rowKey={({ trace_id }) => trace_id}
      rowName={getTraceName}
      selection={{
        isSelected: ({ trace_id }) => selection.has(trace_id),
        onToggle: selection.toggle,
        onToggleAll: selection.toggleAll,
      }}
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
