import { updateSearch } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { formatDuration } from '@assay/ui/time-format.ts'
import { useHotkeys } from '@mantine/hooks'
import { IconClockPause, IconSortDescending } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { FillingPage } from '../../page/FillingPage.tsx'
import { RefreshButton } from '../../page/RefreshButton.tsx'
import { RowCount } from '../../page/RowCount.tsx'
import { rememberList } from '../../parts/last-list.ts'
import { ModeSwitch } from '../../parts/ModeSwitch.tsx'
import { hasFilters, pickList, type TraceSearch, withoutFilters } from '../../parts/trace-search.ts'
import { type CurrentProject, useProject } from '../../shell/use-project.ts'
import { ColumnMenu } from './ColumnMenu.tsx'
import { countMatches } from './count-matches.ts'
import { EmptyTraceList } from './EmptyTraceList.tsx'
import { HistogramPane } from './histogram/HistogramPane.tsx'
import { LiveSwitch } from './LiveSwitch.tsx'
import { MoreMenu } from './MoreMenu.tsx'
import { FilterChips } from './query/FilterChips.tsx'
import { useKnownValues } from './query/use-known-values.ts'
import { SearchFurther } from './SearchFurther.tsx'
import { TraceFilters } from './TraceFilters.tsx'
import { TraceTable } from './TraceTable.tsx'
import styles from './traces.module.css'
import { useColumns } from './use-columns.ts'
import { useHistogram } from './use-histogram.ts'
import { useSelectAll } from './use-select-all.ts'
import { type Selection, useSelection } from './use-selection.ts'
import { useTraceList } from './use-trace-list.ts'
import { ViewMenu } from './ViewMenu.tsx'

/** Loaded with the first selection. */
const SelectionBar = lazy(() =>
  import('./SelectionBar.tsx').then((file) => ({ default: file.SelectionBar })),
)

const route = getRouteApi('/signed-in/p/$projectId/traces')

/** The traces of a project, newest first, live. */
export function TraceListPage() {
  const { projectId } = route.useParams()
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const current = useProject()
  const { project } = current
  useTitle(`Traces · ${project.name}`)
  const searchBox = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => searchBox.current?.focus()]])
  const loaded = useTraceList(projectId, search)
  const { list, traces, total, searchLagMs, searchedBackTo, sortedBackTo } = loaded
  const { liveState, startOver } = loaded
  const { known, loadKnown } = useKnownValues(projectId, traces)
  const selection = useSelection()
  const { histogram, counted } = useHistogram(projectId, search, list.data?.pages[0]?.traces)

  useEffect(() => rememberList(projectId, search), [projectId, search])
  const change = (next: TraceSearch) => {
    const isSameList = toListKey(next) === toListKey(search)
    void navigate({ search: next, replace: isSameList, resetScroll: !isSameList })
  }
  const clear = () => change(withoutFilters(search))
  const columns = useColumns(search, change)
  const isEmpty = list.isSuccess && !list.isPlaceholderData && traces.length === 0
  const isWhole = list.isSuccess && !list.isPlaceholderData && !list.hasNextPage
  const matches = countMatches(isWhole ? traces.length : null, total, counted)
  const knownTotal = total ?? (list.hasNextPage && counted?.isExact ? counted.count : null)
  const fetchNext = () => void list.fetchNextPage({ cancelRefetch: false })
  const end = searchedBackTo !== null && (
    <SearchFurther
      backTo={searchedBackTo}
      isSearching={list.isFetchingNextPage}
      onSearch={fetchNext}
    />
  )

  return (
    <FillingPage
      title="Traces"
      filters={
        <TraceFilters
          search={search}
          searchBox={searchBox}
          known={known}
          onLoadKnown={loadKnown}
          onChange={change}
        />
      }
      buttons={
        <>
          <LiveSwitch search={search} state={liveState} onChange={change} />
          <RefreshButton isLoading={list.isRefetching} onRefresh={startOver} />
          <MoreMenu access={current} search={search} matches={matches} />
        </>
      }
      status={
        <>
          <ModeSwitch search={search} onChange={change} />
          <FilterChips search={search} onChange={change} onClear={clear} />
          <SearchLag lagMs={searchLagMs} />
          {sortedBackTo !== null && <SortedBackTo at={sortedBackTo} />}
          <div className={styles.listActions}>
            <RowCount>
              {list.isSuccess && countLine(traces.length, knownTotal, list.hasNextPage)}
            </RowCount>
            <ViewMenu
              access={current}
              search={search}
              onOpen={(view) => change({ ...view, ...(search.live && { live: search.live }) })}
            />
            <ColumnMenu {...columns} />
          </div>
        </>
      }
    >
      {(!isEmpty || hasFilters(search)) && (
        <HistogramPane search={search} histogram={histogram} onChange={change} />
      )}
      <TraceTable
        // Remount when the filters change so that the new list starts at the top.
        key={toListKey(search)}
        list={{
          ...list,
          data: list.data && traces,
          // Searching further is left to the user: it may take many pages.
          hasNextPage: list.hasNextPage && searchedBackTo === null,
          fetchNextPage: fetchNext,
        }}
        total={total}
        visibleColumns={columns.visibleColumns}
        selection={selection}
        order={search.order}
        onSort={(order) => change(updateSearch(search, { order }))}
        onMoveColumn={columns.move}
        empty={<EmptyTraceList {...{ projectId, search }} onChange={change} searchFurther={end} />}
      />
      {traces.length > 0 && end}
      <SelectedTraces {...{ loaded, selection }} access={current} total={knownTotal} />
    </FillingPage>
  )
}

interface SelectedProps {
  readonly loaded: ReturnType<typeof useTraceList>
  readonly selection: Selection
  readonly access: CurrentProject
  readonly total: number | null
}

/** The actions for selected traces, once any is selected. */
function SelectedTraces({ loaded, selection, access, total }: SelectedProps) {
  const { list, traces, searchedBackTo } = loaded
  const selectAll = useSelectAll({
    ...{ traces, selection, total },
    hasMore: list.hasNextPage && searchedBackTo === null,
    fetchNext: () => list.fetchNextPage({ cancelRefetch: false }),
  })
  if (!selection.isUsed) return null
  return (
    <Suspense>
      <SelectionBar
        {...{ access, selection, selectAll }}
        loaded={traces}
        onRemoved={(traceId) => {
          loaded.removeTrace(traceId)
          selection.drop(traceId)
        }}
        onChanged={(changed) => {
          loaded.putTraces(changed)
          selection.update(changed)
        }}
      />
    </Suspense>
  )
}

function toListKey(search: TraceSearch): string {
  return JSON.stringify(pickList(search))
}

function countLine(loaded: number, total: number | null, hasMore: boolean): string {
  const some = loaded.toLocaleString('en-US')
  if (hasMore && loaded === 0) return 'None found so far'
  if (total !== null) return `${some} of ${Math.max(total, loaded).toLocaleString('en-US')} loaded`
  return hasMore ? `${some} loaded, more available` : `${some} found`
}

/** For a sorted list of more traces than are sorted. */
function SortedBackTo({ at }: { readonly at: string }) {
  return (
    <p className={styles.lag} role="status">
      <IconSortDescending size={14} aria-hidden />
      <span>
        Sorted back to <TimeText at={at} />
      </span>
    </p>
  )
}

/** A shorter lag goes unnoticed. */
const lagThresholdMs = 2000

function SearchLag({ lagMs }: { readonly lagMs: number | null }) {
  if (lagMs === null || lagMs <= lagThresholdMs) return null
  return (
    <p className={styles.lag} role="status">
      <IconClockPause size={14} aria-hidden />
      The search index is {formatDuration(lagMs)} behind
    </p>
  )
}
