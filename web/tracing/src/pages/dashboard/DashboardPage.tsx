import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button, SegmentedControl } from '@mantine/core'
import { IconChartHistogram } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type Stats, statsQuery } from '../../api/stats.ts'
import { BackwardRange } from '../../filter/BackwardRange.tsx'
import { Chips } from '../../filter/Chips.tsx'
import { TimeRange } from '../../filter/TimeRange.tsx'
import { isBackward } from '../../filter/time-range.ts'
import { NoMatches } from '../../page/NoMatches.tsx'
import { ModeSwitch } from '../../parts/ModeSwitch.tsx'
import { useProject } from '../../shell/use-project.ts'
import { DashboardContent } from './DashboardContent.tsx'
import styles from './dashboard.module.css'
import {
  bucketsFor,
  type DashboardSearch,
  defaultRange,
  getLengthMs,
  hasFilters,
  toQueryParams,
  without,
} from './dashboard-search.ts'
import { describeSimulations } from './describe-simulations.ts'
import { splits } from './stats-groups.ts'

const route = getRouteApi('/signed-in/p/$projectId/dashboard')

/** Traces, latency, tokens and cost over time, and by name, model, environment and tag. */
export function DashboardPage() {
  const { projectId } = route.useParams()
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const current = useProject()
  useTitle(current === undefined ? 'Dashboard' : `Dashboard · ${current.project.name}`)
  const { by: _, charts: __, ...statsSearch } = search
  const [openedMs] = useState(() => Date.now())
  const isInvalid = isBackward(search, openedMs)
  const stats = useQuery({
    ...statsQuery(projectId, statsSearch, (nowMs) => toQueryParams(search, nowMs)),
    refetchInterval: 60_000,
    enabled: !isInvalid,
  })
  const onlySimulations = { ...statsSearch, mode: 'simulation' } as const
  const { data: simulations, isPlaceholderData } = useQuery({
    ...statsQuery(projectId, onlySimulations, (nowMs) => toQueryParams(onlySimulations, nowMs)),
    refetchInterval: 60_000,
    enabled: !isInvalid && (search.mode ?? 'live') === 'live',
  })
  const excluded =
    (search.mode ?? 'live') === 'live' && !isPlaceholderData ? simulations : undefined
  const change = (next: DashboardSearch) => {
    const { by: _by, charts: _charts, ...nextStats } = next
    // Another selection of traces can be undone with Back; sorting and charts are no step of their own.
    const replace = JSON.stringify(nextStats) === JSON.stringify(statsSearch)
    void navigate({ search: next, replace, resetScroll: false })
  }

  return (
    <div className={styles.page} aria-busy={stats.isPlaceholderData}>
      <header className={styles.head}>
        <h1 className={styles.title}>Dashboard</h1>
        <TimeRange search={search} defaultRange={defaultRange} onChange={change} />
        <BucketChoice search={search} onChange={change} />
        <ModeSwitch search={search} onChange={change} />
        <FilterChips search={search} onChange={change} />
      </header>
      {isInvalid ? (
        <BackwardRange />
      ) : stats.isPending ? (
        <TableSkeleton rows={10} rowHeightPx={60} />
      ) : stats.isError ? (
        <RequestProblem error={stats.error} onRetry={() => void stats.refetch()} />
      ) : stats.data.buckets.length === 0 ? (
        <Nothing {...{ projectId, search, simulations: excluded }} onChange={change} />
      ) : (
        <DashboardContent
          projectId={projectId}
          stats={stats.data}
          simulations={excluded}
          search={search}
          onChange={change}
        />
      )}
    </div>
  )
}

interface SearchProps {
  readonly search: DashboardSearch
  readonly onChange: (next: DashboardSearch) => void
}

function BucketChoice({ search, onChange }: SearchProps) {
  // Computed once: the options only change with large differences in time.
  const [nowMs] = useState(() => Date.now())
  const offered = bucketsFor(getLengthMs(search, nowMs))
  const { bucket: chosen, ...rest } = search
  return (
    <SegmentedControl
      aria-label="Interval"
      data={[
        { value: '', label: 'Auto' },
        ...offered.map((bucket) => ({ value: bucket, label: bucketLabels[bucket] })),
      ]}
      value={chosen !== undefined && offered.includes(chosen) ? chosen : ''}
      onChange={(value) => {
        const bucket = offered.find((one) => one === value)
        onChange(bucket === undefined ? rest : { ...rest, bucket })
      }}
    />
  )
}

const bucketLabels = { minute: '1 min', '5m': '5 min', hour: '1 h', day: '1 day' } as const

function FilterChips({ search, onChange }: SearchProps) {
  const activeSplits = splits.filter((split) => search[split] !== undefined)
  const filters = activeSplits.map((split) => ({
    key: split,
    text: `${split}: ${search[split]}`,
    onRemove: () => onChange(without(search, split)),
  }))
  return <Chips filters={filters} />
}

interface NothingProps extends SearchProps {
  readonly projectId: string
  readonly simulations: Stats | undefined
}

function Nothing({ projectId, simulations, search, onChange }: NothingProps) {
  const hidden = simulations && describeSimulations(simulations)
  if (hidden !== undefined) {
    return (
      <EmptyState
        icon={<IconChartHistogram size={20} stroke={1.75} />}
        title="No live traces in this time range"
        actions={
          <Button onClick={() => onChange({ ...search, mode: 'simulation' })}>
            Show simulated traces
          </Button>
        }
      >
        {hidden}
      </EmptyState>
    )
  }
  if (hasFilters(search)) {
    return <NoMatches noun="traces" onClear={() => onChange(splits.reduce(without, search))} />
  }
  return (
    <EmptyState
      icon={<IconChartHistogram size={20} stroke={1.75} />}
      title="No traces in this time range"
      actions={
        <LinkButton to="/p/$projectId/send" params={{ projectId }}>
          Send traces
        </LinkButton>
      }
    >
      Choose a longer time range, or send your first traces.
    </EmptyState>
  )
}
