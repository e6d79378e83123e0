import type { SearchChange } from '@assay/account/routes/search-params.ts'
import type { LogRecord } from '@assay/contract/logs.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { formatDuration, formatUtc, instantMs } from '@assay/ui/time-format.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { traceLogsQuery } from '../../api/trace-logs.ts'
import { LogTable } from '../../log-records/LogTable.tsx'
import { SeveritySelect } from '../../log-records/SeveritySelect.tsx'
import type { SpanTree } from '../../spans/span-tree.ts'
import { toTimeScale } from '../../spans/time-scale.ts'
import { flipped } from './use-tree-keys.ts'
import type { ViewSearch } from './view-search.ts'
import styles from './views.module.css'

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly tree: SpanTree
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
  readonly search: ViewSearch
  readonly onSearch: (change: SearchChange<ViewSearch>) => void
}

/** Loaded automatically; more on request. */
const initialRecords = 1000

/** The log records of a trace or of the selected span, oldest first. */
export function LogsView(props: Props) {
  const { projectId, traceId, tree, selectedId, onSelect, search, onSearch } = props
  const spanId = search.logs === 'span' ? selectedId : undefined
  const { severity } = search
  const query = useInfiniteQuery(
    traceLogsQuery({
      projectId,
      traceId,
      ...(spanId === undefined ? {} : { spanId }),
      ...(severity === undefined ? {} : { severity }),
    }),
  )
  const records = (query.data?.pages ?? []).flatMap((page) => page.records).reverse()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const shouldFetchMore = hasNextPage && !isFetching && !isError && records.length < initialRecords
  useEffect(() => {
    if (shouldFetchMore) void fetchNextPage()
  }, [shouldFetchMore, fetchNextPage])

  const startMs = toTimeScale(tree).startMs
  const formatTime = useCallback(
    ({ at }: LogRecord) => {
      const afterMs = instantMs(at) - startMs
      return (
        <time dateTime={at} title={formatUtc(at)}>
          {afterMs < 0 ? '−' : '+'}
          {formatDuration(Math.abs(afterMs))}
        </time>
      )
    },
    [startMs],
  )
  return (
    <div className={styles.view}>
      <LogFilters search={search} onSearch={onSearch}>
        {query.data === undefined
          ? ''
          : `${countOf(records.length, 'record')}${hasNextPage ? ' loaded, more available' : ''}`}
      </LogFilters>
      {hasNextPage && !shouldFetchMore && (
        <Button
          variant="default"
          size="compact-xs"
          mb={8}
          loading={isFetching}
          onClick={() => void fetchNextPage()}
        >
          Load earlier records
        </Button>
      )}
      <LogTable
        caption="Log records, oldest first"
        rows={{ ...query, data: query.data && records, hasNextPage: false }}
        columns={noColumns}
        formatTime={formatTime}
        isOpen={({ log_id }) => open.has(log_id)}
        onToggle={({ log_id }) => setOpen(flipped(open, log_id))}
        renderActions={({ span_id }) => <SpanButton {...{ tree, onSelect }} spanId={span_id} />}
        empty={
          hasNextPage ? null : <None isFiltered={spanId !== undefined || severity !== undefined} />
        }
      />
    </div>
  )
}

const noColumns: readonly Column<LogRecord>[] = []

interface SpanButtonProps extends Pick<Props, 'tree' | 'onSelect'> {
  readonly spanId: string | null
}

function SpanButton({ tree, onSelect, spanId }: SpanButtonProps) {
  const span = tree.nodes[tree.positionById.get(spanId ?? '') ?? -1]?.span
  if (span === undefined) return null
  return (
    <Button variant="default" onClick={() => onSelect(span.span_id)}>
      Select span {span.name}
    </Button>
  )
}

interface FilterProps extends Pick<Props, 'search' | 'onSearch'> {
  readonly children: string
}

function LogFilters({ search, onSearch, children }: FilterProps) {
  return (
    <div className={styles.bar}>
      <SegmentedControl
        aria-label="Scope"
        value={search.logs ?? 'all'}
        onChange={(next) => onSearch({ logs: next === 'span' ? 'span' : undefined })}
        data={[
          { value: 'all', label: 'Whole trace' },
          { value: 'span', label: 'Selected span' },
        ]}
      />
      <SeveritySelect value={search.severity} onChange={(severity) => onSearch({ severity })} />
      <span className={styles.gap} />
      <span className="dimmed" role="status">
        {children}
      </span>
    </div>
  )
}

function None({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState icon={<IconFileText size={20} />} title="No log records">
      {isFiltered
        ? 'No records match. Show the whole trace or all severities.'
        : 'Log records sent over OTLP with this trace ID appear here.'}
    </EmptyState>
  )
}
