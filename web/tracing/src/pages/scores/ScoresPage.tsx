import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { Chart } from '@assay/ui/Chart.tsx'
import { formatCount, unknown } from '@assay/ui/number-format.ts'
import { TextButton } from '@assay/ui/TextButton.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { shareAxis } from '@assay/ui/value-axis.ts'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { scoreStatsQuery } from '../../api/scores.ts'
import { formatScore } from '../../evaluation/score-format.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { IncompleteNote } from './IncompleteNote.tsx'
import { formatRate, type ScoreTotals, toTotals, toTrend } from './score-totals.ts'

import styles from './scores.module.css'

const route = getRouteApi('/signed-in/p/$projectId/scores/results')

/** What the evaluations of the last 30 days show, by evaluator. */
export function ScoresPage() {
  const { projectId } = route.useParams()
  const { name, source } = usePageSearch(route)
  const navigate = route.useNavigate()
  useTitle('Scores')
  const stats = useQuery(scoreStatsQuery(projectId))
  const totals = useMemo(() => stats.data?.groups.map(toTotals), [stats.data])
  const shown =
    stats.data?.groups.find((group) => group.name === name && group.source === source) ??
    stats.data?.groups[0]
  const show = (chosen: ScoreTotals) =>
    void navigate({
      search: { name: chosen.name, source: chosen.source },
      ...{ replace: true, resetScroll: false },
    })
  return (
    <ListPage
      title="Scores"
      lead="Results of evaluators and scores of people in the last 30 days. Those that do not apply or could not be scored do not count for mean and pass rate."
      note={
        <>
          <IncompleteNote completeFrom={stats.data?.complete_from} />
          {shown !== undefined && shown.buckets.some(({ count }) => count > 0) && (
            <div className={styles.chart}>
              <TrendChart
                name={shown.source === 'person' ? `${shown.name} by people` : shown.name}
                trend={toTrend(shown)}
              />
            </div>
          )}
        </>
      }
      rows={{ ...stats, data: totals }}
      columns={columnsFor(projectId, show)}
      rowKey={({ name: own, evaluatorId, source: by }) => `${by} ${evaluatorId} ${own}`}
      rowName={({ name: own }) => own}
      empty={{
        Icon: IconChecklist,
        title: 'No scores yet',
        text: 'Evaluate all traces that match filters from the menu of the list of traces, or a single one on its page. Collections marked offline need no model.',
        action: (
          <LinkButton to="/p/$projectId/traces" params={{ projectId }}>
            Open traces
          </LinkButton>
        ),
      }}
    />
  )
}

interface TrendProps {
  readonly name: string
  readonly trend: ReturnType<typeof toTrend>
}

function TrendChart({ name, trend: { points, frame } }: TrendProps) {
  return (
    <Chart
      title={`Pass rate of ${name} by day`}
      series={[{ id: 'rate', name: 'Pass rate', form: 'bar', points }]}
      frame={frame}
      formatValue={formatRate}
      axis={shareAxis}
    />
  )
}

function columnsFor(
  projectId: string,
  show: (chosen: ScoreTotals) => void,
): readonly Column<ScoreTotals>[] {
  return [
    {
      ...{ key: 'name', header: 'Name', sortValue: ({ name }) => name },
      cell: (row) => <TextButton onClick={() => show(row)}>{row.name}</TextButton>,
    },
    {
      ...{ key: 'source', header: 'Scored by', sortValue: ({ source }) => source },
      cell: ({ source }) => scorers[source],
    },
    {
      ...{ key: 'rate', header: 'Pass rate', align: 'end', sortValue: ({ passRate }) => passRate },
      cell: ({ passRate }) => (passRate === null ? unknown : formatRate(passRate)),
    },
    {
      ...{ key: 'mean', header: 'Mean', align: 'end', sortValue: ({ mean }) => mean },
      cell: ({ mean }) => (mean === null ? unknown : formatScore(mean)),
    },
    {
      ...{ key: 'count', header: 'Scored', align: 'end', sortValue: ({ count }) => count },
      cell: ({ count }) => formatCount(count),
    },
    {
      ...{ key: 'none', header: 'Not applicable', align: 'end' },
      cell: ({ notApplicable }) => formatCount(notApplicable),
    },
    {
      ...{ key: 'errors', header: 'Not scored', align: 'end' },
      cell: ({ errors }) => formatCount(errors),
    },
    {
      ...{ key: 'failed', header: 'Traces', narrow: 'bare' },
      hint: 'Those whose newest score of this name failed',
      cell: ({ name, failed }) =>
        failed > 0 && (
          <LinkButton
            to="/p/$projectId/traces"
            params={{ projectId }}
            search={{ score: name, passed: 'false', mode: 'all' }}
            variant="subtle"
            size="compact-xs"
          >
            {formatCount(failed)} failed
          </LinkButton>
        ),
    },
  ]
}

const scorers = { evaluator: 'Evaluator', person: 'People', sender: 'Sender' } as const
