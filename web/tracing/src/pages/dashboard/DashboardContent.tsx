import type { ChartPick } from '@assay/ui/chart-series.ts'
import { formatStep } from '@assay/ui/time-format.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Stats, statsQuery } from '../../api/stats.ts'
import { timeBetween, withTime } from '../../filter/time-range.ts'
import { CustomCharts } from './CustomCharts.tsx'
import { formatCustomCharts } from './custom-charts.ts'
import styles from './dashboard.module.css'
import {
  type DashboardSearch,
  parseCharts,
  periodBefore,
  toStatsFilters,
  toStatsParams,
} from './dashboard-search.ts'
import { ProjectCharts } from './ProjectCharts.tsx'
import { Ranking } from './Ranking.tsx'
import { SimulationNote } from './SimulationNote.tsx'
import { splits, type TracesSearch, tracesWithin } from './stats-groups.ts'
import { sumBuckets, timeOfStep } from './stats-series.ts'
import { Tiles } from './Tiles.tsx'
import { TimeCharts } from './TimeCharts.tsx'
import { UnpricedNote } from './UnpricedNote.tsx'
import { useSavedCharts } from './use-saved-charts.ts'

interface Props {
  readonly projectId: string
  readonly stats: Stats
  /** Of the same time range, where they are not included. */
  readonly simulations: Stats | undefined
  readonly search: DashboardSearch
  readonly onChange: (search: DashboardSearch) => void
}

export function DashboardContent({ projectId, stats, simulations, search, onChange }: Props) {
  const navigate = useNavigate()
  const { saved, save, error } = useSavedCharts(projectId)
  const filters = toStatsFilters(search)
  const statsParams = { ...periodBefore(stats), ...toStatsParams(filters) }
  const before = useQuery(statsQuery(projectId, statsParams, () => statsParams))
  const { by = 'runs', charts } = search

  const onPick = ({ at, seriesId }: ChartPick) => {
    const traces: TracesSearch = {
      ...tracesWithin(timeOfStep(stats, at), filters),
      ...(seriesId === 'error' || seriesId === 'errors' ? { status: 'ERROR' } : {}),
    }
    void navigate({ to: '/p/$projectId/traces', params: { projectId }, search: traces })
  }
  const onRange = (fromMs: number, toMs: number) =>
    onChange(withTime(search, timeBetween(fromMs, toMs)))
  return (
    <>
      {!stats.is_complete && (
        <p className={styles.none} role="note">
          This time range has too many traces. Only those since{' '}
          {formatStep(Date.parse(stats.complete_from), 60_000)} are included.
        </p>
      )}
      <Tiles stats={stats} before={before.isPlaceholderData ? undefined : before.data} />
      <SimulationNote
        simulations={simulations}
        onShow={() => onChange({ ...search, mode: 'simulation' })}
      />
      <UnpricedNote projectId={projectId} total={sumBuckets(stats)} />
      <TimeCharts {...{ stats, onPick, onRange }} />
      <div className={styles.charts}>
        {splits.map((split) => (
          <Ranking
            key={split}
            {...{ projectId, stats, split, by, filters }}
            onOnly={(value) => onChange({ ...search, [split]: value })}
            onBy={(next) => onChange({ ...search, by: next })}
          />
        ))}
      </div>
      <ProjectCharts {...{ projectId, stats, filters, onPick, onRange }} />
      <CustomCharts
        {...{ projectId, stats, filters, onPick, onRange, error }}
        charts={parseCharts(search, saved ?? '')}
        isLoaded={saved !== undefined}
        isFromLink={charts !== undefined && saved !== undefined && charts !== saved}
        onChange={(next) => {
          const text = formatCustomCharts(next)
          save(text)
          onChange({ ...search, charts: text })
        }}
      />
    </>
  )
}
