import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { IconChartHistogram } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { statsQuery } from '../../api/figures.ts'
import { TimeRange } from '../../filter/TimeRange.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useTitle } from '../../shell/use-title.ts'
import styles from './dashboard.module.css'
import { parseDashboardSearch, questionOf, timeOf } from './dashboard-search.ts'
import { frameOf } from './stats-series.ts'
import { TimeCharts } from './TimeCharts.tsx'

const route = getRouteApi('/signed-in/p/$projectId/dashboard')

/** The figures of a project over time. */
export function DashboardPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch({ select: parseDashboardSearch })
  const change = route.useNavigate()
  const navigate = useNavigate()
  useTitle('Dashboard')
  const stats = useQuery(statsQuery(projectId, search, (nowMs) => questionOf(search, nowMs)))

  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>Dashboard</h1>
        <TimeRange
          search={timeOf(search)}
          isBounded
          onChange={(time) => {
            const { range: _, from: __, to: ___, ...rest } = search
            void change({ search: { ...rest, ...time }, replace: true })
          }}
        />
      </header>
      {stats.isPending ? (
        <TableSkeleton rows={10} rowHeightPx={60} />
      ) : stats.isError ? (
        <RequestProblem error={stats.error} onRetry={() => void stats.refetch()} />
      ) : stats.data.buckets.length === 0 ? (
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
      ) : (
        <TimeCharts
          stats={stats.data}
          onPick={({ at, seriesId }) =>
            void navigate({
              to: '/p/$projectId/traces',
              params: { projectId },
              search: {
                from: new Date(at).toISOString(),
                to: new Date(at + frameOf(stats.data).stepMs).toISOString(),
                ...(seriesId === 'error' ? { status: 'ERROR' } : {}),
              },
            })
          }
          onRange={(fromMs, toMs) => {
            const { range: _, ...rest } = search
            const time = {
              from: new Date(fromMs).toISOString(),
              to: new Date(toMs).toISOString(),
            }
            void change({ search: { ...rest, ...time } })
          }}
        />
      )}
    </div>
  )
}
