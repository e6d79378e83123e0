import type { AgentTool } from '@assay/contract/agent-config.ts'
import type {
  CostRun,
  CostRunStatus,
  CostRunSummary,
  RunBills,
  RunStop,
} from '@assay/contract/cost-runs.ts'
import { limits } from '@assay/contract/limits.ts'
import type { LiveRun } from '../../api/live-runs.ts'

export const statusLabels: Readonly<Record<CostRunStatus, string>> = {
  draft: 'Draft',
  running: 'Running',
  completed: 'Completed',
  partial: 'Stopped early',
  failed: 'Failed',
}

/** After "Stopped early: ". */
export const stopLabels: Readonly<Record<RunStop, string>> = {
  canceled: 'it was canceled',
  cost_limit: 'the limit of cost was reached',
  time_limit: `${limits.executionSeconds.value} seconds had passed`,
  disconnected: 'the page that started it was closed, or lost its connection',
  service_stopped: 'the service stopped',
  model_failed: 'the model wrote no scenarios',
  error: 'an error of the service; its log has the cause',
}

/** The stored status is that of the last read, which can be older than what this tab has started. */
export function runState(
  { status, is_generating }: Pick<CostRun, 'status' | 'is_generating'>,
  live: Pick<LiveRun, 'isActive' | 'activity'> | undefined,
): string {
  const own = live?.isActive === true ? live.activity : undefined
  if (own === 'executing' || (own === undefined && status === 'running')) return 'in progress'
  if (own === 'generating' || is_generating) return 'writing scenarios'
  return statusLabels[status].toLowerCase()
}

/** Of the simulation: the agent, and what only a simulation needs. */
export function totalBill({ agent, simulated_user, simulated_tools, judge }: RunBills): number {
  return agent + simulated_user + simulated_tools + judge
}

export const billLabels: Readonly<Record<keyof RunBills, string>> = {
  agent: 'Agent',
  simulated_user: 'Simulated users',
  simulated_tools: 'Simulated tools',
  judge: 'Judges',
}

/** The beginning of the system prompt on one line. */
export function runName({ agent_excerpt }: Pick<CostRunSummary, 'agent_excerpt'>): string {
  return agent_excerpt.replaceAll(/\s+/g, ' ').trim() || 'Agent'
}

export const toolKindLabels: Readonly<Record<AgentTool['kind'], string>> = {
  skill: 'Skill',
  memory: 'Memory',
  tool: 'Tool',
  connector: 'Connector',
}
