import type { RunResult } from '@assay/contract/cost-runs.ts'
import { limits } from '@assay/contract/limits.ts'
import { type CallReadOptions, ReadyJson } from '../../http/call.ts'
import type { LongLists } from '../../http/long-lists.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { CostResultRow, CostScenarioRow } from '../../storage/accounts/cost-run-tables.ts'
import { summarizeModels } from './model-summaries.ts'
import { nano, runNotFound, toApiRun } from './stored-runs.ts'

/*
 * A whole run as JSON: megabytes, in pieces that do not delay other requests.
 */

export interface ReadRunPorts {
  readonly accounts: Pick<Accounts, 'costRuns'>
  readonly clock: Clock
  readonly longLists: LongLists
}

/** Throws NOT_FOUND. */
export async function readRun(
  projectId: string,
  runId: string,
  by: Pick<CallReadOptions, 'requester' | 'signal'>,
  { accounts: { costRuns }, clock, longLists }: ReadRunPorts,
): Promise<ReadyJson> {
  const row = await costRuns.find(projectId, runId)
  if (row === undefined) throw runNotFound()
  const { agent_excerpt: _, ...run } = toApiRun(row, clock.now().toISOString())
  const results: CostResultRow[] = []
  const scenarios = await longLists(
    by,
    () => readScenarios(projectId, runId, costRuns),
    // The content is a JSON object.
    ({ id, content }) => `{"id":"${id}",${content.slice(1)}`,
  )
  const listedResults = await longLists(
    by,
    async () => {
      results.push(...(await readResults(projectId, runId, costRuns)))
      return results
    },
    (result) => JSON.stringify(toApiResult(result)),
  )
  const rest = {
    summaries: summarizeModels(results, run.execution?.model_config_ids ?? []),
    notices: JSON.parse(row.notices) as string[],
    max_cost_usd: run.execution?.max_cost_usd ?? null,
  }
  return new ReadyJson(
    ...[JSON.stringify(run).slice(0, -1), ',"agent_config":', row.agent_config],
    ...[',"estimate":', row.estimate, ',"scenarios":', ...scenarios.parts],
    ...[',"results":', ...listedResults.parts, `,${JSON.stringify(rest).slice(1)}`],
  )
}

const rowsPerRead = 100

async function readScenarios(
  projectId: string,
  runId: string,
  costRuns: Accounts['costRuns'],
): Promise<CostScenarioRow[]> {
  const rows: CostScenarioRow[] = []
  for (let from = 0; ; from = (rows.at(-1)?.position ?? 0) + 1) {
    const page = await costRuns.listScenarios(projectId, runId, { from, limit: rowsPerRead })
    rows.push(...page)
    if (page.length < rowsPerRead) return rows
  }
}

async function readResults(
  projectId: string,
  runId: string,
  costRuns: Accounts['costRuns'],
): Promise<CostResultRow[]> {
  const rows: CostResultRow[] = []
  while (rows.length < limits.resultsPerRun.value) {
    const after = rows.at(-1)
    const page = await costRuns.listResults(projectId, runId, { after, limit: rowsPerRead })
    rows.push(...page)
    if (page.length < rowsPerRead) break
  }
  return rows
}

export function toApiResult(row: CostResultRow): RunResult {
  const { cost_nano_usd: cost } = row
  return {
    ...{ scenario_id: row.scenario_id, model_config_id: row.model_config_id },
    ...{ trace_id: row.trace_id, status: row.status, turns: row.turns },
    ...{ tokens_in: row.tokens_in, tokens_out: row.tokens_out },
    cost_usd: cost === null ? null : cost / nano,
    ...{ latency_ms: row.latency_ms, score: row.score, error: row.error },
  }
}
