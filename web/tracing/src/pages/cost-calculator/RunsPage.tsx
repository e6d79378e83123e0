import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import type { CostRunSummary } from '@assay/contract/cost-runs.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCost, formatCount } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { costRunsQuery, useRemoveRun } from '../../api/cost-runs.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import page from '../../page/page.module.css'
import { useProject } from '../../shell/use-project.ts'
import styles from './cost-calculator.module.css'
import { runName, statusLabels, totalBill } from './run-labels.ts'

const route = getRouteApi('/signed-in/p/$projectId/cost-calculator/runs')

/** The stored runs of the cost calculator, two of which can be compared. */
export function RunsPage() {
  const current = useProject()
  const { organization, project, can } = current
  const params = { projectId: project.id }
  const runs = useInfiniteQuery(costRunsQuery(project.id))
  const { data: configs } = useQuery(modelConfigsQuery(organization.id))
  const removing = useDialog<CostRunSummary>()
  const { a, b } = usePageSearch(route)
  const navigate = route.useNavigate()
  const selected = [a, b].filter((id) => id !== undefined)
  const select = ([first, second]: readonly string[]) =>
    void navigate({ search: omitUndefined({ a: first, b: second }), replace: true })
  const canRun = can('run_agents') || can('manage_agents')
  const newRun = (
    <LinkButton to="/p/$projectId/cost-calculator/agent" params={params}>
      Enter an agent
    </LinkButton>
  )
  return (
    <ListPage
      title="Runs"
      lead="Scenarios of an agent, and what simulating them with your models cost. Select two runs to compare them."
      note={<PermissionNote access={current} needs="run_agents" to="generate and run scenarios" />}
      filters={
        selected.length > 0 && (
          <div className={styles.selection}>
            <span role="status">{selected.length} of 2 selected</span>
            {a !== undefined && b !== undefined && (
              <LinkButton
                to="/p/$projectId/cost-calculator/compare"
                params={params}
                search={{ a, b }}
              >
                Compare
              </LinkButton>
            )}
          </div>
        )
      }
      action={newRun}
      isWide
      rows={runs}
      noun={['run', 'runs']}
      columns={columns(project.id, configs)}
      rowKey={({ id }) => id}
      rowName={runName}
      selection={{
        isSelected: ({ id }) => selected.includes(id),
        // A third replaces the first.
        onToggle: ({ id }) =>
          select(
            selected.includes(id)
              ? selected.filter((one) => one !== id)
              : [...selected, id].slice(-2),
          ),
      }}
      actions={
        canRun
          ? (run) => [
              {
                label: 'Delete',
                isDanger: true,
                onSelect: () => removing.open(run),
                disabledReason:
                  run.status === 'running' || run.is_generating
                    ? 'Cancel the run first.'
                    : undefined,
              },
            ]
          : undefined
      }
      empty={{
        Icon: IconPlayerPlay,
        title: 'No runs',
        text: 'Enter an agent, estimate its cost, and generate scenarios. They are kept here.',
      }}
    >
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveRun(project.id)}
        variables={({ id }) => id}
        title="Delete this run?"
        confirmLabel="Delete run"
        onDone={({ id }) => select(selected.filter((one) => one !== id))}
      >
        Its scenarios and results are removed. The traces of its simulations are kept.
      </ConfirmDialog>
    </ListPage>
  )
}

function columns(
  projectId: string,
  configs: readonly ModelConfig[] | undefined,
): readonly Column<CostRunSummary>[] {
  const labelOf = (id: string) => configs?.find((one) => one.id === id)?.label ?? 'a deleted model'
  return [
    {
      ...{ key: 'agent', header: 'Agent', className: styles.model },
      cell: (run) => (
        <Link
          to="/p/$projectId/cost-calculator/runs/$runId"
          params={{ projectId, runId: run.id }}
          className={`${page.link} ${styles.excerpt}`}
        >
          {runName(run)}
        </Link>
      ),
    },
    {
      ...{ key: 'status', header: 'State' },
      cell: ({ status }) =>
        status === 'completed' || status === 'failed' ? (
          <StatusMark isError={status === 'failed'} word={statusLabels[status]} />
        ) : (
          statusLabels[status]
        ),
    },
    {
      ...{ key: 'scenarios', header: 'Scenarios', align: 'end' },
      cell: ({ scenario_count }) => formatCount(scenario_count),
    },
    {
      ...{ key: 'models', header: 'Models', className: styles.modelNames },
      cell: ({ execution }) =>
        execution !== null && (
          <span className={styles.excerpt}>
            {configs === undefined
              ? countOf(execution.model_config_ids.length, 'model')
              : execution.model_config_ids.map(labelOf).join(', ')}
          </span>
        ),
    },
    {
      ...{ key: 'cost', header: 'Spent', align: 'end' },
      cell: ({ cost_usd }) => formatCost(totalBill(cost_usd)),
    },
    {
      ...{ key: 'created', header: 'Created' },
      cell: ({ created_at }) => <TimeText at={created_at} />,
    },
  ]
}
