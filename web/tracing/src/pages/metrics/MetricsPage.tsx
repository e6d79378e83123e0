import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { IconChartLine } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { metricNamesQuery } from '../../api/metrics.ts'
import { pickTime } from '../../filter/time-range.ts'
import { NoDataYet } from '../../page/NoDataYet.tsx'
import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { useProject } from '../../shell/use-project.ts'
import { MetricList } from './MetricList.tsx'
import { MetricView } from './MetricView.tsx'
import { isChosen, type MetricSearch } from './metric-search.ts'
import styles from './metrics.module.css'

const route = getRouteApi('/signed-in/p/$projectId/metrics')

/** The metrics of a project, and the time series of the chosen one. */
export function MetricsPage() {
  const { project } = useProject()
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const { metric: name } = search
  useTitle(name ?? `Metrics · ${project.name}`)
  const names = useQuery(metricNamesQuery(project.id))
  const view = {
    ...{ projectId: project.id, search },
    onChange: (next: MetricSearch) =>
      // A metric and a time range are steps to go back from, a typed character is none.
      void navigate({ search: next, replace: toStep(next) === toStep(search), resetScroll: false }),
  }

  if (names.data?.metrics.length === 0) {
    return (
      <div className={page.page}>
        <PageHead title="Metrics" />
        <NoDataYet projectId={project.id} Icon={IconChartLine} noun="metrics" />
      </div>
    )
  }
  return (
    <div className={styles.page} data-chosen={name !== undefined || undefined}>
      <MetricList {...view} names={names} />
      <section className={styles.main} aria-label={name ?? 'No metric selected'}>
        {name === undefined ? (
          <EmptyState icon={<IconChartLine size={20} stroke={1.75} />} title="Select a metric">
            Its time series appear here.
          </EmptyState>
        ) : (
          <MetricView
            key={name}
            {...view}
            name={name}
            known={names.data?.metrics.find((one) => isChosen(search, one))}
          />
        )}
      </section>
    </div>
  )
}

function toStep(search: MetricSearch): string {
  return JSON.stringify([search.metric, search.kind, pickTime(search)])
}
