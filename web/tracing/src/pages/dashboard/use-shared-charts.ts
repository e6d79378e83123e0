import type { SharedView } from '@assay/contract/shared-views.ts'
import { useQuery } from '@tanstack/react-query'
import { sharedViewsQuery, useShareView } from '../../api/shared-views.ts'
import { useProject } from '../../shell/use-project.ts'
import { type CustomChart, parseCustomCharts, serializeChart } from './custom-charts.ts'

export interface SharedChart {
  readonly id: string
  readonly chart: CustomChart
}

export interface SharedCharts {
  readonly charts: readonly SharedChart[]
  readonly error: Error | null
  readonly canShare: boolean
  /** Calls back when the chart is stored. */
  readonly share: (chart: CustomChart, onShared: () => void) => void
  readonly shareError: Error | null
}

/** The charts that everyone in the project sees on the dashboard. A chart is stored under its text in the URL. */
export function useSharedCharts(projectId: string): SharedCharts {
  const { can } = useProject()
  const { data: views = [], error } = useQuery(sharedViewsQuery(projectId))
  const sharing = useShareView(projectId, views)
  return {
    charts: views.flatMap(toSharedChart),
    error,
    canShare: can('manage_agents'),
    share(chart, onShared) {
      const name = serializeChart(chart)
      const body = { page: 'dashboard', name, query: `charts=${name}` } as const
      sharing.mutate(body, { onSuccess: onShared })
    },
    shareError: sharing.error,
  }
}

function toSharedChart({ id, page, name }: SharedView): SharedChart[] {
  const [chart] = page === 'dashboard' ? parseCustomCharts(name) : []
  return chart === undefined ? [] : [{ id, chart }]
}
