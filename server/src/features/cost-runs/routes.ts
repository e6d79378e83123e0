import {
  cancelCostRun,
  listCostRuns,
  readCostRun,
  removeCostRun,
  updateScenario,
} from '@assay/contract/cost-runs.ts'
import type { ScenarioContent } from '../../scenarios/scenario-text.ts'
import { type GenerationPorts, registerGeneration } from './generation-routes.ts'
import { openRunReads } from './read-run.ts'
import {
  notInProgress,
  runInProgress,
  runNotFound,
  scenarioNotFound,
  toApiRun,
  toApiScenario,
} from './stored-runs.ts'

export function registerCostRuns(ports: GenerationPorts): void {
  const { bind, accounts } = ports
  const now = () => accounts.clock.now()
  const readRun = openRunReads(ports)
  registerGeneration(ports)

  bind(listCostRuns, async ({ caller: { projectId }, query: { limit, cursor } }) => {
    // One more than requested shows whether there is a next page.
    const page = { limit: limit + 1, before: cursor }
    const rows = await accounts.costRuns.list(projectId, page)
    const at = await now()
    const data = rows.slice(0, limit).map((row) => toApiRun(row, at))
    const last = rows.length > limit ? data.at(-1) : undefined
    return { data, meta: { pageSize: data.length, cursor: last?.id ?? null } }
  })

  bind(readCostRun, ({ caller: { projectId }, params: { runId }, readOptions }) =>
    readRun(projectId, runId, readOptions),
  )

  bind(updateScenario, async ({ caller: { projectId }, params, body }) => {
    const { runId, scenarioId } = params
    return await accounts.transaction(async ({ costRuns, clock }) => {
      const at = await clock.now()
      // Before it is read, so that two changes at once are both kept.
      const isFree = await costRuns.lockFree(projectId, runId, at)
      const row = await costRuns.findScenario(projectId, runId, scenarioId)
      if (row === undefined) throw scenarioNotFound()
      if (!isFree) throw runInProgress()
      const content = { ...(JSON.parse(row.content) as ScenarioContent), ...body }
      const changed = { ...row, content: JSON.stringify(content) }
      await costRuns.replaceScenario(changed, at)
      return toApiScenario(changed)
    })
  })

  bind(cancelCostRun, async ({ caller: { projectId }, params: { runId } }) => {
    const at = await now()
    const canceled = await accounts.costRuns.cancel(projectId, runId, at)
    if (canceled !== undefined) return toApiRun(canceled, at)
    const run = await accounts.costRuns.findHead(projectId, runId)
    throw run === undefined ? runNotFound() : notInProgress()
  })

  bind(removeCostRun, async ({ caller: { projectId }, params: { runId } }) => {
    if (await accounts.costRuns.remove(projectId, runId, await now()))
      return { status: 'removed' as const }
    const run = await accounts.costRuns.findHead(projectId, runId)
    throw run === undefined ? runNotFound() : runInProgress()
  })
}
