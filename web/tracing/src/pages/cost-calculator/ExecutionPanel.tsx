import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import type { CostRun } from '@assay/contract/cost-runs.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { IconSparkles } from '@tabler/icons-react'
import type { LiveRun } from '../../api/live-runs.ts'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { useProject } from '../../shell/use-project.ts'
import styles from './cost-calculator.module.css'
import { ExecutionForm } from './ExecutionForm.tsx'
import { LiveProgress } from './LiveProgress.tsx'
import { useLiveRun } from './live-context.ts'

interface Props {
  readonly run: CostRun
  /** Undefined while they load. */
  readonly configs: readonly ModelConfig[] | undefined
}

/** Starts an execution of a run, or shows the progress of the current one. */
export function ExecutionPanel({ run, configs }: Props) {
  const current = useProject()
  const live = useLiveRun(run.id)
  if (configs === undefined) return null
  if (!current.can('run_agents') && !current.can('manage_agents')) {
    return <PermissionNote access={current} needs="run_agents" to="run scenarios" />
  }
  const own = live?.isActive === true ? live : undefined
  if (own?.activity === 'executing' || (own === undefined && run.status === 'running')) {
    return (
      <LiveProgress
        run={run}
        activity="Running scenarios"
        noun="conversation"
        {...amounts(run, own)}
      >
        Results so far are kept if you cancel, and resuming runs only what is missing.
      </LiveProgress>
    )
  }
  if (own !== undefined || run.is_generating) {
    return <p className={styles.notice}>Scenarios are still being written.</p>
  }
  if (configs.length === 0) return <NoModels />
  return (
    <>
      <FormError message={live?.activity === 'executing' ? live.error : undefined} />
      <ExecutionForm key={run.status} run={run} configs={configs} />
    </>
  )
}

/** Of the stream of this page, else as far as the stored run has them. */
function amounts(run: CostRun, own: LiveRun | undefined) {
  if (own !== undefined) {
    const { done, total, costUsd, maxCostUsd } = own
    return { done, total, costUsd, maxCostUsd }
  }
  const models = run.execution?.model_config_ids ?? []
  const finished = run.results.filter(
    ({ model_config_id: id, status }) => status !== 'failed' && models.includes(id),
  )
  return { done: finished.length, total: run.scenarios.length * models.length }
}

function NoModels() {
  const { organization, can } = useProject()
  return (
    <EmptyState
      icon={<IconSparkles size={20} stroke={1.75} />}
      title="No models"
      actions={
        <LinkButton to="/o/$orgId/settings/models" params={{ orgId: organization.id }}>
          {can('manage_model_keys') ? 'Add a model' : 'Models'}
        </LinkButton>
      }
    >
      Running scenarios calls models with your own API keys. Add the models to compare first.
    </EmptyState>
  )
}
