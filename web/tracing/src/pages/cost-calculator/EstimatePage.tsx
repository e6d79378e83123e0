import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { updateSearch } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { agentConfig } from '@assay/contract/agent-config.ts'
import type { CostEstimate } from '@assay/contract/cost-calculator.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconArrowRight, IconCalculator } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { emptyDraft } from '../../api/agent-drafts.ts'
import { costEstimateQuery } from '../../api/cost-estimate.ts'
import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { useProject } from '../../shell/use-project.ts'
import { Assumptions } from './Assumptions.tsx'
import { EstimateControls } from './EstimateControls.tsx'
import { EstimateTable } from './EstimateTable.tsx'
import type { EstimateSearch } from './estimate-search.ts'
import { toEstimateBody } from './estimate-settings.ts'
import { GenerateDialog } from './GenerateDialog.tsx'
import { useDraft } from './use-draft.ts'

const route = getRouteApi('/signed-in/p/$projectId/cost-calculator/estimate')

/** What the entered agent costs with several models. */
export function EstimatePage() {
  const { draft } = useDraft()
  if (!agentConfig.safeParse(draft.agent).success) return <NoAgent isEmpty={draft === emptyDraft} />
  return (
    <div className={`${page.page} ${page.large}`}>
      <Estimate />
    </div>
  )
}

function Estimate() {
  const { organization, project, can } = useProject()
  const generating = useDialog<null>()
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const { draft } = useDraft()
  const configs = useQuery(modelConfigsQuery(organization.id)).data
  const isWaiting = search.own !== undefined && configs === undefined
  const body = toEstimateBody(draft, search, configs?.map(({ id }) => id) ?? [])
  const hasNoModels = body.model_config_ids?.length === 0
  const { data, error, isFetching, refetch } = useQuery({
    ...costEstimateQuery(project.id, body),
    enabled: !isWaiting && !hasNoModels,
  })
  // The previous result stays visible while another one is computed, or where that fails.
  const [shown, setShown] = useState<CostEstimate>()
  if (data !== undefined && data !== shown) setShown(data)

  const change = (next: EstimateSearch) =>
    void navigate({ search: next, replace: true, resetScroll: false })
  return (
    <>
      <PageHead
        title="Estimate"
        lead="The cost of the agent in production. No model is called; simulated users and judges are not included."
        action={
          <div className={page.line}>
            <LinkButton
              variant="default"
              to="/p/$projectId/cost-calculator/agent"
              params={{ projectId: project.id }}
              search={search}
            >
              Edit the agent
            </LinkButton>
            {(can('run_agents') || can('manage_agents')) && (
              <Button
                rightSection={<IconArrowRight size={14} />}
                onClick={() => generating.open(null)}
              >
                Generate scenarios
              </Button>
            )}
          </div>
        }
      />
      <EstimateControls
        search={search}
        configs={configs}
        imported={draft.imported}
        assumptions={shown?.perModel[0]?.assumptions ?? []}
        onChange={(next) => change(updateSearch(search, next))}
      />
      {hasNoModels ? (
        <EmptyState
          icon={<IconCalculator size={20} stroke={1.75} />}
          title="No models in this organization"
          actions={
            <LinkButton to="/o/$orgId/settings/models" params={{ orgId: organization.id }}>
              Models
            </LinkButton>
          }
        >
          Add a model with its key, or estimate with listed models, which needs none.
        </EmptyState>
      ) : shown === undefined ? (
        error === null ? (
          <TableSkeleton rows={10} />
        ) : (
          <RequestProblem error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <FormError message={error === null ? undefined : formatProblem(error)} />
          <EstimateTable
            projectId={project.id}
            estimate={shown}
            configs={configs ?? []}
            isStale={isFetching && data === undefined}
          />
          <Assumptions estimate={shown} />
        </>
      )}
      <GenerateDialog search={search} dialog={generating} />
    </>
  )
}

function formatProblem(error: Error): string {
  return `${error.message} The result below is of the settings before.`
}

function NoAgent({ isEmpty }: { readonly isEmpty: boolean }) {
  const search = usePageSearch(route)
  return (
    <EmptyState
      isPage
      icon={<IconCalculator size={20} stroke={1.75} />}
      title={isEmpty ? 'No agent yet' : 'The agent is incomplete'}
      actions={
        <LinkButton
          to="/p/$projectId/cost-calculator/agent"
          params={{ projectId: useProject().project.id }}
          search={search}
        >
          {isEmpty ? 'Enter an agent' : 'Edit the agent'}
        </LinkButton>
      }
    >
      {isEmpty
        ? 'Enter a system prompt and tools first. A link to an estimate has its settings, but not the agent, which stays in the browser where it was entered.'
        : 'Correct its fields first.'}
    </EmptyState>
  )
}
