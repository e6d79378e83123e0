import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CostRunStatus, RunExecution, RunStop } from '@assay/contract/cost-runs.ts'
import type { CostRunHead, CostRunRow } from '../../storage/accounts/cost-run-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { type SummarizedRow, summarizeResults, toApiResult, toUsd } from './summarize-results.ts'

/*
 * A run as the API returns it, in pieces that are read one after the other: its scenarios can have megabytes. Other
 * requests are served between them.
 */

const scenariosPerPiece = 20
const resultsPerPiece = 200

/** A JSON object. */
export async function* serializeRun(
  run: CostRunRow,
  costRuns: AccountStores['costRuns'],
  now: string,
): AsyncGenerator<string> {
  const { agent_config: agent, estimate, notices, execution } = run
  const head = JSON.stringify(toApiHead(run, now)).slice(0, -1)
  const { max_cost_usd: maxCostUsd = null, model_config_ids: modelIds = [] } =
    parseExecution(execution) ?? {}
  yield `${head},"agent_config":${agent},"estimate":${estimate},"notices":${notices},"max_cost_usd":${maxCostUsd},"scenarios":[`
  let before = ''
  for await (const rows of scenarioPages(run, costRuns)) {
    yield before + rows.map((one) => `{"id":"${one.id}",${one.content.slice(1)}`).join()
    before = ','
    await nextTurn()
  }
  yield '],"results":['
  const summarized: SummarizedRow[] = []
  for await (const rows of resultPages(run, costRuns)) {
    const separator = summarized.length === 0 ? '' : ','
    for (const { model_config_id, status, cost_nano_usd, latency_ms, score } of rows)
      summarized.push({ model_config_id, status, cost_nano_usd, latency_ms, score })
    yield separator + rows.map((row) => JSON.stringify(toApiResult(row))).join()
    await nextTurn()
  }
  yield `],"summaries":${JSON.stringify(summarizeResults(summarized, modelIds))}}`
}

/** Pages that are not empty, by position. */
export async function* scenarioPages(
  { project_id: projectId, id }: Pick<CostRunHead, 'project_id' | 'id'>,
  costRuns: AccountStores['costRuns'],
) {
  for (let from = 0; ; ) {
    const rows = await costRuns.listScenarios(projectId, id, { from, limit: scenariosPerPiece })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < scenariosPerPiece) return
    from = last.position + 1
  }
}

/** Pages that are not empty. */
export async function* resultPages(
  { project_id: projectId, id }: Pick<CostRunHead, 'project_id' | 'id'>,
  costRuns: AccountStores['costRuns'],
) {
  let after: Parameters<typeof costRuns.listResults>[2]['after']
  for (;;) {
    const rows = await costRuns.listResults(projectId, id, { after, limit: resultsPerPiece })
    if (rows.length > 0) yield rows
    after = rows.at(-1)
    if (rows.length < resultsPerPiece) return
  }
}

/** Without what is read in pieces. */
export function toApiHead(run: CostRunHead, now: string) {
  return {
    ...{ id: run.id, project_id: run.project_id, status: statusOf(run, now) },
    ...{ generator: run.generator, scenario_count: run.scenario_count },
    stopped_by: stopOf(run, now),
    is_generating: run.status !== 'running' && isInProgress(run, now),
    execution: parseExecution(run.execution),
    cost_usd: {
      agent: toUsd(run.agent_nano_usd),
      simulated_user: toUsd(run.user_nano_usd),
      simulated_tools: toUsd(run.tools_nano_usd),
      judge: toUsd(run.judge_nano_usd),
    },
    ...{ created_at: run.created_at, started_at: run.started_at, finished_at: run.finished_at },
  }
}

export function parseExecution(text: string | null): RunExecution | null {
  return text === null ? null : (JSON.parse(text) as RunExecution)
}

/** Whether it is executed or its scenarios are written. */
export function isInProgress({ running_until: until }: CostRunHead, now: string): boolean {
  return until !== null && until >= now
}

/** What still has a lease that has expired was killed. */
function stopOf(run: CostRunHead, now: string): RunStop | null {
  const wasKilled =
    (run.execution_id !== null || run.status === 'running') && !isInProgress(run, now)
  return wasKilled ? 'service_stopped' : run.stopped_by
}

/** An execution whose lease has expired was killed. */
function statusOf(run: CostRunHead, now: string): CostRunStatus {
  return run.status === 'running' && !isInProgress(run, now) ? 'partial' : run.status
}
