import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { IconChartLine } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { metricNamesQuery } from '../../api/metrics.ts'
import { usePageSearch } from '../../page/use-page-search.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useProject } from '../../shell/use-project.ts'
import { useTitle } from '../../shell/use-title.ts'
import { MetricList } from './MetricList.tsx'
import { MetricView } from './MetricView.tsx'
import { type MetricSearch } from './metric-search.ts'
import styles from './metrics.module.css'

const route = getRouteApi('/signed-in/p/$projectId/metrics')

export function MetricsPage() {
  const { projectId } = route.useParams()
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const current = useProject()
  const { metric: name } = search
  useTitle(name ?? (current === undefined ? 'Metrics' : `Metrics · ${current.project.name}`))
  const names = useQuery(metricNamesQuery(projectId))
  const change = (next: MetricSearch) =>
    void navigate({ search: next, replace: true, resetScroll: false })

  if (names.isPending) return <TableSkeleton rows={12} />
  if (names.isError) {
    return <RequestProblem error={names.error} onRetry={() => void names.refetch()} />
  }
  if (names.data.metrics.length === 0) return <Nothing projectId={projectId} />
  return (
    <div className={styles.page} data-chosen={name !== undefined || undefined}>
      <MetricList projectId={projectId} names={names.data} search={search} onChange={change} />
      <section className={styles.main} aria-label={name ?? 'No metric selected'}>
        {name === undefined ? (
          <EmptyState icon={<IconChartLine size={20} stroke={1.75} />} title="Select a metric">
            Its time series appear here.
          </EmptyState>
        ) : (
          <MetricView
            key={name}
            {...{ projectId, name, search }}
            known={names.data.metrics.find(
              (one) =>
                one.name === name &&
                (search.kind === undefined || one.kind === search.kind) &&
                (search.unit === undefined || one.unit === search.unit),
            )}
            onChange={change}
          />
        )}
      </section>
    </div>
  )
}

function Nothing({ projectId }: { readonly projectId: string }) {
  return (
    <div className={styles.nothing}>
      <h1 className={styles.title}>Metrics</h1>
      <EmptyState
        icon={<IconChartLine size={20} stroke={1.75} />}
        title="No metrics yet"
        actions={
          <LinkButton to="/p/$projectId/send" params={{ projectId }}>
            Setup instructions
          </LinkButton>
        }
      >
        Send metrics with any OpenTelemetry exporter, using the same key as for traces.
      </EmptyState>
    </div>
  )
}
