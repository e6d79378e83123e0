import { updateSearch } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { limits } from '@assay/contract/limits.ts'
import type { LogRecord } from '@assay/contract/logs.ts'
import { TextButton } from '@assay/ui/TextButton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { Button, Loader } from '@mantine/core'
import { IconLogs } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { LogTable } from '../../log-records/LogTable.tsx'
import { formatCoverage } from '../../log-records/log-format.ts'
import { FillingPage } from '../../page/FillingPage.tsx'
import { NoDataYet } from '../../page/NoDataYet.tsx'
import { NoMatches } from '../../page/NoMatches.tsx'
import { RefreshButton } from '../../page/RefreshButton.tsx'
import { RowCount } from '../../page/RowCount.tsx'
import { SearchProgress } from '../../page/SearchProgress.tsx'
import { useProject } from '../../shell/use-project.ts'
import { LogActions } from './LogActions.tsx'
import { LogFilters } from './LogFilters.tsx'
import { hasFilters, type LogSearch, pickFilters } from './log-search.ts'
import { useLogList } from './use-log-list.ts'

const route = getRouteApi('/signed-in/p/$projectId/logs')

export function LogsPage() {
  const { projectId } = route.useParams()
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  useTitle(`Logs · ${useProject().project.name}`)
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

  const empty = hasFilters(search) ? (
    <NoMatches noun="records" onClear={onClear} />
  ) : (
    <NoDataYet projectId={projectId} Icon={IconLogs} noun="logs" />
  )

  return (
    <FillingPage
      title="Logs"
      filters={<LogFilters search={search} onChange={change} />}
      buttons={
        <RefreshButton isLoading={list.isRefetching} onRefresh={() => void list.refetch()} />
      }
      status={
        <>
          {hasFilters(search) && <TextButton onClick={onClear}>Clear filters</TextButton>}
          <RowCount>{list.data !== undefined && coverage}</RowCount>
        </>
      }
    >
      <LogTable
        // Remount when the filters change so that the new list starts at the top.
        key={JSON.stringify(pickFilters(search))}
        caption="Log records, newest first"
        // Without a first page, the failure is shown, or progress below.
        rows={{
          ...list,
          data: list.isLoadingError ? undefined : logs,
          hasNextPage: list.hasNextPage && !isPaused,
        }}
        columns={columns}
        formatTime={formatTime}
        isFilling
        isOpen={({ log_id }) => search.open === log_id}
        onToggle={({ log_id }) =>
          change(updateSearch(search, { open: search.open === log_id ? undefined : log_id }))
        }
        renderActions={(log) => <LogActions {...{ projectId, log, search }} onChange={change} />}
        empty={isSearching || isPaused ? null : empty}
      />
      {logs.length === 0 && isSearching && (
        <SearchProgress>
          <Loader size="xs" /> {pageCount === 0 ? 'Loading records…' : 'Searching older records…'}
        </SearchProgress>
      )}
      {isPaused && (
        <SearchProgress>
          No matches in the records searched so far.
          <Button variant="default" onClick={found.resume}>
            Search older records
          </Button>
        </SearchProgress>
      )}
    </FillingPage>
  )
}

const formatTime = ({ at }: LogRecord) => <TimeText at={at} />

const columns: readonly Column<LogRecord>[] = [
  {
    key: 'service',
    header: 'Service',
    width: 150,
    cell: ({ service }) => service,
    narrow: 'bare',
  },
]
