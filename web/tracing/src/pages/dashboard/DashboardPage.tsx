import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { SegmentedControl } from '@mantine/core'
import { IconChartHistogram } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { statsQuery } from '../../api/figures.ts'
import { TimeRange } from '../../filter/TimeRange.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useProject } from '../../shell/use-project.ts'
import { useTitle } from '../../shell/use-title.ts'
import { Board } from './Board.tsx'
import styles from './dashboard.module.css'
import {
  type DashboardSearch,
  parseDashboardSearch,
  questionOf,
  timeOf,
  withTime,
} from './dashboard-search.ts'

const route = getRouteApi('/signed-in/p/$projectId/dashboard')

/** The figures of a project over time, and by what its traces have in common. */
export function DashboardPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch({ select: parseDashboardSearch })
  const navigate = route.useNavigate()
  const current = useProject()
  useTitle(`Dashboard of ${current?.project.name ?? 'a project'}`)
  const { by: _, charts: __, ...asked } = search
  const stats = useQuery({
    ...statsQuery(projectId, asked, (nowMs) => questionOf(search, nowMs)),
    refetchInterval: 60_000,
  })
  const change = (next: DashboardSearch) =>
    void navigate({ search: next, replace: true, resetScroll: false })

  return (
    <div className={styles.page} aria-busy={stats.isPlaceholderData}>
      <header className={styles.head}>
        <h1 className={styles.title}>Dashboard</h1>
        <TimeRange
          search={timeOf(search)}
          isBounded
          onChange={(time) => change(withTime(search, time))}
        />
        <SegmentedControl
          aria-label="Buckets"
          data={[
            { value: '', label: 'Auto' },
            { value: 'hour', label: 'Hours' },
            { value: 'day', label: 'Days' },
          ]}
          value={search.bucket ?? ''}
          onChange={(value) => {
            const { bucket: ___, ...rest } = search
            change(value === 'hour' || value === 'day' ? { ...rest, bucket: value } : rest)
          }}
        />
      </header>
      {stats.isPending ? (
        <TableSkeleton rows={10} rowHeightPx={60} />
      ) : stats.isError ? (
        <RequestProblem error={stats.error} onRetry={() => void stats.refetch()} />
      ) : stats.data.buckets.length === 0 ? (
        <Nothing projectId={projectId} />
      ) : (
        <Board projectId={projectId} stats={stats.data} search={search} onChange={change} />
      )}
    </div>
  )
}

function Nothing({ projectId }: { readonly projectId: string }) {
  return (
    <EmptyState
      icon={<IconChartHistogram size={20} stroke={1.75} />}
      title="No traces in this time"
      actions={
        <LinkButton to="/p/$projectId/send" params={{ projectId }}>
          Send traces
        </LinkButton>
      }
    >
      Choose a longer time range, or send the first traces of this project.
    </EmptyState>
  )
}
