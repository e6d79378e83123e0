import { newId, newOrderedId } from '../src/platform/ids.ts'
import { openSimulatedTools } from '../src/simulation/simulated-tools.ts'
import type { Accounts } from '../src/storage/accounts/connect.ts'
import type {
  CostResultRow,
  CostRunRow,
  CostScenarioRow,
} from '../src/storage/accounts/cost-run-tables.ts'

/*
 * Rows of stored runs, for suites that need a run without generating or executing it.
 */

/** A draft that was never executed. */
export function costRunRow(project_id: string, more: Partial<CostRunRow> = {}): CostRunRow {
  return {
    ...{ id: newOrderedId(), project_id, created_by: null, status: 'draft', generator: 'offline' },
    ...{ model_config_id: null, include_multi_turn: 0, scenario_count: 3, notices: '[]' },
    ...{ agent_excerpt: 'You', agent_config: '{"system_prompt":"You"}', estimate: '{}' },
    ...{ agent_nano_usd: 0, user_nano_usd: 0, tools_nano_usd: 0, judge_nano_usd: 0 },
    ...{ execution: null, execution_id: null, running_until: null, is_canceled: 0 },
    ...{ stopped_by: null, last_bill_id: null },
    ...{ created_at: '2026-01-01T00:00:00.000Z', started_at: null, finished_at: null, ...more },
  }
}

type RunKey = Pick<CostRunRow, 'id' | 'project_id'>

export function costScenarioRow(
  { id: run_id, project_id }: RunKey,
  position: number,
  content = '{}',
): CostScenarioRow {
  return { project_id, run_id, position, id: newId(), content }
}

/** Completed and scored. */
export function costResultRow(
  { project_id, run_id, id: scenario_id }: Pick<CostScenarioRow, 'project_id' | 'run_id' | 'id'>,
  more: Partial<CostResultRow> = {},
): CostResultRow {
  return {
    ...{ project_id, run_id, scenario_id, model_config_id: newId(), trace_id: 'a' },
    ...{ status: 'completed', turns: 2, tokens_in: 100, tokens_out: 10, latency_ms: 500.5 },
    ...{ cost_nano_usd: 100_000_000, score: 0.5, error: null },
    ...{ finished_at: '2026-01-01T00:00:09.000Z', ...more },
  }
}

const tools = [
  { kind: 'tool', mode: 'real', name: 'get_order', content: '{"type":"object","properties":{}}' },
]

/** An id of a scenario in which a call of `get_order` does not fail: a share of simulated calls does, by the id. */
export async function newIdWithoutErrors(
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const name = 'get_order'
  const tool = { kind: 'tool', mode: 'simulated', name, description: '' } as const
  for (;;) {
    const seed = newId()
    const call = openSimulatedTools({
      ...{ toolsByName: new Map([[name, tool]]), seed, errorRate: 0.2 },
      ...{ recorded: { answers: new Map(), behavior: new Map() }, answerByModel: undefined },
    })
    if (!(await call({ name, input })).isError) return seed
  }
}

/** A run of an agent with a tool, with scenarios of one turn. */
export async function addStoredRun(
  { costRuns }: Accounts,
  projectId: string,
  scenarioCount: number,
  more: Partial<CostRunRow>,
  scenarioId?: string,
) {
  const run = costRunRow(projectId, {
    scenario_count: scenarioCount,
    agent_config: JSON.stringify({ system_prompt: 'You answer.', tools }),
    estimate: JSON.stringify({
      ...{ perModel: [], totalCostUsd: null, totalInputTokens: 0, totalOutputTokens: 0 },
      ...{ scenarioCount, llmCalls: 0 },
    }),
    ...more,
  })
  const scenarios = Array.from({ length: scenarioCount }, (_, at) => {
    const content = {
      ...{ name: `Scenario ${at}`, category: 'happy_path', origin: 'template', intent: 'ask' },
      conversation_plan: { goal: 'know', known: [], unknown: [], satisfied_when: 'known' },
      turns: [{ role: 'user', content: `Question ${at}` }],
      ...{ tools: [], persona: 'brief', complication: null },
    }
    const row = costScenarioRow(run, at, JSON.stringify(content))
    return { ...row, id: scenarioId ?? row.id }
  })
  await costRuns.insert(run)
  await costRuns.insertScenarios(scenarios)
  return { runId: run.id, scenarioIds: scenarios.map(({ id }) => id) }
}
