import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { ActionIcon, Button } from '@mantine/core'
import { IconFilterOff, IconRefresh, IconSend } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useProject } from '../../shell/use-project.ts'
import { useTitle } from '../../shell/use-title.ts'
import { FilterBar } from './FilterBar.tsx'
import { FilterChips } from './FilterChips.tsx'
import { LiveSwitch } from './LiveSwitch.tsx'
import { TraceTable } from './TraceTable.tsx'
import { isNarrowed, narrowing, parseTraceSearch, type TraceSearch } from './trace-search.ts'
import styles from './traces.module.css'
import { useTraceList } from './use-trace-list.ts'

const route = getRouteApi('/signed-in/p/$projectId/traces')

/** The traces of a project, newest first, live. */
export function TraceListPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch({ select: parseTraceSearch })
  const navigate = route.useNavigate()
  const current = useProject()
  useTitle(`Traces of ${current?.project.name ?? 'a project'}`)
  const searchBox = useRef<HTMLInputElement>(null)
  const { list, traces, total, liveState, startOver } = useTraceList(projectId, search)

  const change = (next: TraceSearch) =>
    void navigate({ search: next, replace: true, resetScroll: next.live === search.live })
  const clear = () => change(search.live === undefined ? {} : { live: search.live })
  const isFirstRun = list.isSuccess && traces.length === 0 && !isNarrowed(search)

  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>Traces</h1>
        <FilterBar search={search} searchBox={searchBox} onChange={change} />
        <div className={styles.fresh}>
          <LiveSwitch search={search} state={liveState} onChange={change} />
          <ActionIcon
            variant="default"
            size={30}
            aria-label="Refresh"
            title="Refresh"
            loading={list.isRefetching}
            onClick={() => void startOver()}
          >
            <IconRefresh size={15} stroke={1.75} />
          </ActionIcon>
        </div>
      </header>
      <div className={styles.status}>
        <FilterChips search={search} onChange={change} onClear={clear} />
        <p className={styles.count} role="status">
          {list.isSuccess && countLine(traces.length, total, list.hasNextPage)}
        </p>
      </div>
      {list.isPending ? (
        <TableSkeleton rows={14} />
      ) : list.isError && traces.length === 0 ? (
        <RequestProblem error={list.error} onRetry={() => void list.refetch()} />
      ) : isFirstRun ? (
        <FirstRun projectId={projectId} />
      ) : traces.length === 0 ? (
        <NoMatch onClear={clear} />
      ) : (
        <TraceTable
          // Other filters make another list, which begins at its top.
          key={JSON.stringify(narrowing(search))}
          projectId={projectId}
          traces={traces}
          total={total}
          isStale={list.isPlaceholderData}
          searchBox={searchBox}
          next={{
            has: list.hasNextPage,
            isFetching: list.isFetchingNextPage,
            error: list.isFetchNextPageError ? list.error : null,
            fetch: () => void list.fetchNextPage({ cancelRefetch: false }),
          }}
        />
      )}
    </div>
  )
}

function countLine(loaded: number, total: number | null, hasMore: boolean): string {
  const some = loaded.toLocaleString('en-US')
  if (total !== null) return `${some} loaded of ${Math.max(total, loaded).toLocaleString('en-US')}`
  return hasMore ? `${some} loaded, more below` : `${some} found`
}

function FirstRun({ projectId }: { readonly projectId: string }) {
  return (
    <EmptyState
      icon={<IconSend size={20} stroke={1.75} />}
      title="No traces yet"
      actions={
        <LinkButton to="/p/$projectId/send" params={{ projectId }}>
          Send your first trace
        </LinkButton>
      }
    >
      Point an OpenTelemetry exporter or a curl at this project, and what it sends appears here
      within a second.
    </EmptyState>
  )
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<IconFilterOff size={20} stroke={1.75} />}
      title="No trace matches"
      actions={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      There are no traces that fit all filters. Widen the time range or clear them.
    </EmptyState>
  )
}
