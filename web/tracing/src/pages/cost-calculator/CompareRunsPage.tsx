import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import type { CostRun } from '@assay/contract/cost-runs.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { costRunQuery } from '../../api/cost-runs.ts'
import { formatScore } from '../../evaluation/score-format.ts'
import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CostText } from '../../parts/CostText.tsx'
import { useProject } from '../../shell/use-project.ts'
import { listDifferences } from './compare-notes.ts'
import styles from './cost-calculator.module.css'
import { type ModelPair, pairModels } from './pair-models.ts'
import { runName } from './run-labels.ts'

const route = getRouteApi('/signed-in/p/$projectId/cost-calculator/compare')

/** Two runs by model, for example before and after a change of the agent. */
export function CompareRunsPage() {
  const { a, b } = usePageSearch(route)
  const { projectId } = route.useParams()
  if (a === undefined || b === undefined) {
    return (
      <Problem isPage title="Select two runs" actions={<AllRuns projectId={projectId} />}>
        Select two runs in the list.
      </Problem>
    )
  }
  return <Comparison projectId={projectId} a={a} b={b} />
}

function AllRuns({ projectId }: { readonly projectId: string }) {
  return (
    <LinkButton variant="default" to="/p/$projectId/cost-calculator/runs" params={{ projectId }}>
      All runs
    </LinkButton>
  )
}

function Notes({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <ul className={`${styles.notes} ${styles.sides}`}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

interface Props {
  readonly projectId: string
  readonly a: string
  readonly b: string
}

function Comparison({ projectId, a, b }: Props) {
  const { organization } = useProject()
  const ofA = useQuery(costRunQuery(projectId, a))
  const ofB = useQuery(costRunQuery(projectId, b))
  const models = useQuery(modelConfigsQuery(organization.id))
  const failed = [ofA, ofB, models].find(({ error, data }) => error !== null && data === undefined)
  if (failed?.error) {
    return (
      <RequestProblem
        isPage
        error={failed.error}
        onRetry={() => void failed.refetch()}
        actions={<AllRuns projectId={projectId} />}
      />
    )
  }
  if (ofA.data === undefined || ofB.data === undefined || models.data === undefined) {
    return <TableSkeleton rows={6} />
  }
  return (
    <div className={`${page.page} ${page.large}`}>
      <PageHead
        title="Compare runs"
        lead="Models used by either run."
        action={<AllRuns projectId={projectId} />}
      />
      <dl className={`${page.facts} ${styles.sides}`}>
        <Side name="A" run={ofA.data} />
        <Side name="B" run={ofB.data} />
      </dl>
      <Notes texts={listDifferences(ofA.data, ofB.data)} />
      <DataTable
        caption="Models of both runs"
        rows={pairModels(ofA.data, ofB.data, models.data)}
        columns={columns}
        rowKey={({ configId }) => configId}
        empty={<p className={page.note}>Neither run has results.</p>}
      />
    </div>
  )
}

function Side({ name, run }: { readonly name: string; readonly run: CostRun }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <TwoLines
          below={
            <>
              {countOf(run.scenarios.length, 'scenario')}, <TimeText at={run.created_at} />
            </>
          }
        >
          <Link
            to="/p/$projectId/cost-calculator/runs/$runId"
            params={{ projectId: run.project_id, runId: run.id }}
            search={{ step: 'results' }}
            className={styles.excerpt}
          >
            {runName({ agent_excerpt: run.agent_config.system_prompt.slice(0, 160) })}
          </Link>
        </TwoLines>
      </dd>
    </>
  )
}

const columns: readonly Column<ModelPair>[] = [
  { key: 'model', header: 'Model', cell: ({ label }) => <strong>{label}</strong> },
  ...(['a', 'b'] as const).flatMap((side): Column<ModelPair>[] => {
    const name = side.toUpperCase()
    return [
      {
        ...{ key: `${side}-cost`, header: `Per scenario ${name}`, align: 'end' },
        cell: (pair) => <CostText usd={pair[side]?.costPerScenarioUsd ?? null} />,
        sortValue: (pair) => pair[side]?.costPerScenarioUsd ?? null,
      },
      {
        ...{ key: `${side}-latency`, header: `Latency p50 ${name}`, align: 'end' },
        cell: (pair) => formatDuration(pair[side]?.summary?.latency_ms_p50 ?? null),
      },
      {
        ...{ key: `${side}-score`, header: `Score ${name}`, align: 'end' },
        cell: (pair) => {
          const mean = pair[side]?.summary?.mean_score ?? null
          return mean === null ? '—' : formatScore(mean)
        },
      },
    ]
  }),
  {
    ...{ key: 'change', header: 'Cost from A to B', align: 'end' },
    cell: ({ costChange }) => costChange ?? '—',
  },
]
