import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { type SearchChange, updateSearch } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { ApiError } from '@assay/contract/client.ts'
import type { CostRun } from '@assay/contract/cost-runs.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { costRunQuery } from '../../api/cost-runs.ts'
import type { LiveRun } from '../../api/live-runs.ts'
import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { ReplaceDraftButton } from '../../parts/ReplaceDraftButton.tsx'
import { useProject } from '../../shell/use-project.ts'
import { Assumptions } from './Assumptions.tsx'
import styles from './cost-calculator.module.css'
import { EstimateTable } from './EstimateTable.tsx'
import { useLiveRun } from './live-context.ts'
import { mergeRun } from './merge-run.ts'
import { RecommendationView } from './RecommendationView.tsx'
import { ResultsView } from './ResultsView.tsx'
import { runName, runState, stopLabels } from './run-labels.ts'
import type { RunSearch, RunStep } from './run-search.ts'
import { ScenariosView } from './ScenariosView.tsx'

const route = getRouteApi('/signed-in/p/$projectId/cost-calculator/runs/$runId')

/** A stored run: its scenarios, the results of executing them, and which model to choose. */
export function RunPage() {
  const { project } = useProject()
  const { runId } = route.useParams()
  const live = useLiveRun(runId)
  const { data, error, refetch } = useQuery({
    ...costRunQuery(project.id, runId),
    // The stream of this page has what a repeated read would.
    ...(live?.isActive === true && { refetchInterval: false }),
  })
  const run = useMemo(() => data && mergeRun(data, live), [data, live])
  // A run without scenarios is removed when its generation fails.
  const isRemoved = error instanceof ApiError && error.status === 404
  if (run !== undefined && !isRemoved) return <Run run={run} live={live} />
  if (error === null) return <TableSkeleton rows={8} />
  return (
    <>
      <FormError message={live?.error} />
      <RequestProblem
        isPage
        error={error}
        onRetry={() => void refetch()}
        actions={
          <LinkButton
            variant="default"
            to="/p/$projectId/cost-calculator/runs"
            params={{ projectId: project.id }}
          >
            All runs
          </LinkButton>
        }
      />
    </>
  )
}

interface Props {
  readonly run: CostRun
  readonly live: LiveRun | undefined
}

function Run({ run, live }: Props) {
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const { agent_config: agent } = run
  const name = runName({ agent_excerpt: agent.system_prompt.slice(0, 160) })
  useTitle(`Run: ${name.slice(0, 60)}`)
  const change = (next: SearchChange<RunSearch>, isReplaced = true) =>
    void navigate({ search: (before) => updateSearch(before, next), replace: isReplaced })
  const stop = live?.isActive === true ? null : run.stopped_by
  const view = { run, search, onSearch: change }
  return (
    <div className={`${page.page} ${page.large}`}>
      <PageHead
        title={`Run, ${runState(run, live)}`}
        lead={<span className={styles.excerpt}>{name}</span>}
        action={<UseAgent run={run} />}
      />
      {(stop !== null || run.notices.length > 0) && (
        <ul className={styles.notes}>
          {stop !== null && <li>Stopped early: {stopLabels[stop]}.</li>}
          {run.notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
      <Tabs
        value={search.step ?? 'scenarios'}
        // A step is a page of its own for the back button.
        onChange={(step) =>
          change({ step: step === 'scenarios' ? undefined : (step as RunStep) }, false)
        }
        keepMounted={false}
      >
        <Tabs.List aria-label="Steps of the run" className={styles.steps ?? ''}>
          <Tabs.Tab value="estimate">Estimate</Tabs.Tab>
          <Tabs.Tab value="scenarios">Scenarios</Tabs.Tab>
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab value="recommendation">Recommendation</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="estimate">
          <EstimateTable projectId={run.project_id} estimate={run.estimate} configs={[]} />
          <Assumptions estimate={run.estimate} />
        </Tabs.Panel>
        <Tabs.Panel value="scenarios">
          <ScenariosView {...view} />
        </Tabs.Panel>
        <Tabs.Panel value="results">
          <ResultsView run={run} />
        </Tabs.Panel>
        <Tabs.Panel value="recommendation">
          <RecommendationView {...view} />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

/** Copies the agent of the run to the draft, to estimate a change of it. */
function UseAgent({ run: { agent_config } }: { readonly run: CostRun }) {
  const { project } = useProject()
  const navigate = useNavigate()
  return (
    <ReplaceDraftButton
      next={{ agent: agent_config }}
      question="Replace the entered agent?"
      confirmLabel="Replace agent"
      onDone={() =>
        void navigate({
          to: '/p/$projectId/cost-calculator/agent',
          params: { projectId: project.id },
        })
      }
    >
      Use this agent again
    </ReplaceDraftButton>
  )
}
