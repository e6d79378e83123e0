import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { severityNames, traceLogsQuery } from '../../api/trace-logs.ts'
import type { SearchChange } from '../../search-params.ts'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import type { SpanTree } from '../../spans/span-tree.ts'
import { LogTable } from './LogTable.tsx'
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
  const pages = query.data?.pages ?? []
  const records = pages.flatMap((page) => page.records).reverse()
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const shouldFetchMore = hasNextPage && !isFetching && !isError && records.length < initialRecords
  useEffect(() => {
    if (shouldFetchMore) void fetchNextPage()
  }, [shouldFetchMore, fetchNextPage])

  return (
    <div className={styles.view}>
      <LogFilters search={search} onSearch={onSearch}>
        {query.isPending
          ? ''
          : `${countOf(records.length, 'record')}${hasNextPage ? ' loaded, more available' : ''}`}
      </LogFilters>
      {query.isError && (
        <RequestProblem
          error={query.error}
          onRetry={() => void (pages.length === 0 ? query.refetch() : fetchNextPage())}
        />
      )}
      {query.isPending && <TableSkeleton rows={6} rowHeightPx={30} />}
      {query.isSuccess && records.length === 0 && !hasNextPage && (
        <None isFiltered={spanId !== undefined || severity !== undefined} />
      )}
      {records.length > 0 && (
        <>
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
          <LogTable records={records} tree={tree} onSelect={onSelect} />
        </>
      )}
    </div>
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
      <NativeSelect
        size="xs"
        aria-label="Minimum severity"
        value={search.severity ?? ''}
        onChange={(event) => {
          const chosen = event.currentTarget.value
          onSearch({ severity: severityNames.find((one) => one === chosen) })
        }}
        data={[
          { value: '', label: 'All severities' },
          ...severityNames.slice(1).map((name) => ({ value: name, label: `≥ ${name}` })),
        ]}
      />
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
