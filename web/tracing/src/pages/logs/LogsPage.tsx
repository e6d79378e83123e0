import { limits } from '@assay/contract/limits.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { ActionIcon, Button, Loader } from '@mantine/core'
import { IconFilterOff, IconLogs, IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useProject } from '../../shell/use-project.ts'
import { useTitle } from '../../shell/use-title.ts'
import { LogFilterBar } from './LogFilterBar.tsx'
import { LogTable } from './LogTable.tsx'
import { formatCoverage } from './log-format.ts'
import { hasFilters, type LogSearch, parseLogSearch, pickFilters } from './log-search.ts'
import styles from './logs.module.css'
import { useLogList } from './use-log-list.ts'

const route = getRouteApi('/signed-in/p/$projectId/logs')

export function LogsPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch({ select: parseLogSearch })
  const navigate = route.useNavigate()
  const current = useProject()
  useTitle(current === undefined ? 'Logs' : `Logs · ${current.project.name}`)
  const found = useLogList(projectId, search)
  const { list, logs, pageCount, isPaused } = found
  const change = (next: LogSearch) =>
    void navigate({ search: next, replace: true, resetScroll: false })
  const isScanning = list.isFetching || (list.hasNextPage && logs.length === 0 && !isPaused)
  const coverage = formatCoverage({
    ...{ found: logs.length, pages: pageCount, hasMore: list.hasNextPage },
    ...{ hasFilters: hasFilters(search), scannedPerPage: limits.logsScanned.value },
  })

  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>Logs</h1>
        <LogFilterBar search={search} onChange={change} />
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Refresh"
          title="Refresh"
          onClick={() => void list.refetch()}
        >
          <IconRefresh size={15} stroke={1.75} />
        </ActionIcon>
      </header>
      <p className={styles.count} role="status">
        {hasFilters(search) && (
          <button type="button" className={styles.clear} onClick={() => change({})}>
            Clear filters
          </button>
        )}
        <span>{list.data !== undefined && coverage}</span>
      </p>
      {list.isPending ? (
        <TableSkeleton rows={14} />
      ) : list.isError && logs.length === 0 ? (
        <RequestProblem error={list.error} onRetry={() => void list.refetch()} />
      ) : logs.length === 0 && !isScanning && !isPaused ? (
        <Nothing {...{ projectId, search }} onClear={() => change({})} />
      ) : (
        <LogTable
          // Remount when the filters change so that the new list starts at the top.
          key={JSON.stringify(pickFilters(search))}
          {...{ projectId, logs, search }}
          isStale={list.isPlaceholderData}
          onChange={change}
          onNearEnd={found.fetchMore}
          end={<End found={found} isScanning={isScanning} />}
        />
      )}
    </div>
  )
}

interface EndProps {
  readonly found: ReturnType<typeof useLogList>
  readonly isScanning: boolean
}

function End({ found: { list, isPaused, resume, fetchMore }, isScanning }: EndProps) {
  if (list.isFetchNextPageError) {
    return <RequestProblem error={list.error} onRetry={() => void list.fetchNextPage()} />
  }
  if (isScanning) {
    return (
      <div className={styles.more} role="status">
        <Loader size="xs" /> Searching older records…
      </div>
    )
  }
  if (isPaused) {
    return (
      <div className={styles.more} role="status">
        No matches in the records searched so far.
        <Button variant="default" onClick={resume}>
          Search older records
        </Button>
      </div>
    )
  }
  if (!list.hasNextPage) return null
  return (
    <div className={styles.more}>
      <Button variant="default" onClick={fetchMore}>
        Load more
      </Button>
    </div>
  )
}

interface NothingProps {
  readonly projectId: string
  readonly search: LogSearch
  readonly onClear: () => void
}

function Nothing({ projectId, search, onClear }: NothingProps) {
  if (hasFilters(search)) {
    return (
      <EmptyState
        icon={<IconFilterOff size={20} stroke={1.75} />}
        title="No matching records"
        actions={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        No log records match all of these filters. Widen the time range or clear the filters.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<IconLogs size={20} stroke={1.75} />}
      title="No logs yet"
      actions={
        <LinkButton to="/p/$projectId/send" params={{ projectId }}>
          Setup instructions
        </LinkButton>
      }
    >
      Send logs with any OpenTelemetry exporter, using the same key as for traces.
    </EmptyState>
  )
}
