import { limits } from '@assay/contract/limits.ts'
import type { LogRecord } from '@assay/contract/logs.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { ActionIcon, Button, Loader } from '@mantine/core'
import { IconFilterOff, IconLogs, IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { LogTable } from '../../log-records/LogTable.tsx'
import { formatCoverage } from '../../log-records/log-format.ts'
import { usePageSearch } from '../../page/use-page-search.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { updateSearch } from '../../search-params.ts'
import { useProject } from '../../shell/use-project.ts'
import { useTitle } from '../../shell/use-title.ts'
import { LogActions } from './LogActions.tsx'
import { LogFilterBar } from './LogFilterBar.tsx'
import { hasFilters, type LogSearch, pickFilters } from './log-search.ts'
import styles from './logs.module.css'
import { useLogList } from './use-log-list.ts'

const route = getRouteApi('/signed-in/p/$projectId/logs')

export function LogsPage() {
  const { projectId } = route.useParams()
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const current = useProject()
  useTitle(current === undefined ? 'Logs' : `Logs · ${current.project.name}`)
  const found = useLogList(projectId, search)
  const { list, logs, pageCount, isPaused } = found
  const change = (next: LogSearch) =>
    void navigate({ search: next, replace: true, resetScroll: false })
  const isSearching = list.isFetching || (list.hasNextPage && !isPaused)
  const onClear = () => change({})
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
          <button type="button" className={styles.clear} onClick={onClear}>
            Clear filters
          </button>
        )}
        <span>{list.data !== undefined && coverage}</span>
      </p>
      <LogTable
        // Remount when the filters change so that the new list starts at the top.
        key={JSON.stringify(pickFilters(search))}
        caption="Log records, newest first"
        rows={{ ...list, data: logs, hasNextPage: list.hasNextPage && !isPaused }}
        columns={columns}
        formatTime={formatTime}
        isFilling
        isOpen={({ log_id }) => search.open === log_id}
        onToggle={({ log_id }) =>
          change(updateSearch(search, { open: search.open === log_id ? undefined : log_id }))
        }
        renderActions={(log) => <LogActions {...{ projectId, log, search }} onChange={change} />}
        empty={isSearching || isPaused ? null : <Nothing {...{ projectId, search, onClear }} />}
      />
      {logs.length === 0 && isSearching && (
        <div className={styles.more} role="status">
          <Loader size="xs" /> Searching older records…
        </div>
      )}
      {isPaused && (
        <div className={styles.more} role="status">
          No matches in the records searched so far.
          <Button variant="default" onClick={found.resume}>
            Search older records
          </Button>
        </div>
      )}
    </div>
  )
}

const formatTime = ({ at }: LogRecord) => <TimeText at={at} />

const columns: readonly Column<LogRecord>[] = [
  {
    key: 'service',
    header: 'Service',
    width: 150,
    cell: ({ service }) => service,
    narrow: 'hidden',
  },
]

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
