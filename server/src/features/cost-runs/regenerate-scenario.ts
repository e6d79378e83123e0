import type { AgentConfig } from '@assay/contract/agent-config.ts'
import { limits } from '@assay/contract/limits.ts'
import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { Failure } from '../../platform/failure.ts'
import type { Requester } from '../../platform/requester.ts'
import { type Cell, planCell, seedOf } from '../../scenarios/coverage.ts'
import { type ScenarioText, toContent } from '../../scenarios/scenario-text.ts'
import { writeFromTemplate } from '../../scenarios/write-from-template.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { CostRunHead, CostScenarioRow } from '../../storage/accounts/cost-run-tables.ts'
import { openScenarioWriter, type WriterPorts } from './scenario-writer.ts'
import { isInProgress } from './serialize-run.ts'
import { runInProgress, runNotFound, scenarioNotFound, toApiScenario } from './stored-runs.ts'

/*
 * Writes one scenario of a run again: with the same id, place and category.
 */

export interface RegeneratePorts extends WriterPorts {
  readonly accounts: Accounts
}

export interface Regeneration {
  readonly organizationId: string
  readonly projectId: string
  readonly requester: Requester
  readonly agent: AgentConfig
  /** Undefined: without a model. */
  readonly model: GatewayModel | undefined
  readonly found: FoundScenario
  readonly signal: AbortSignal
}

export interface FoundScenario {
  readonly run: CostRunHead
  readonly row: CostScenarioRow
}

/** Throws a Failure if it cannot be written again. */
export async function findScenario(
  projectId: string,
  runId: string,
  scenarioId: string,
  { accounts: { costRuns, clock } }: RegeneratePorts,
): Promise<FoundScenario> {
  const run = await costRuns.findHead(projectId, runId)
  if (run === undefined) throw runNotFound()
  const row = await costRuns.findScenario(projectId, runId, scenarioId)
  if (row === undefined) throw scenarioNotFound()
  if (isInProgress(run, await clock.now())) throw runInProgress()
  return { run, row }
}

export async function regenerateScenario(
  regeneration: Regeneration,
  ports: RegeneratePorts,
): Promise<ScenarioSummary> {
  const { agent, model, found, signal } = regeneration
  const { run, row } = found
  const plan = {
    ...{ agent, scenarioCount: run.scenario_count },
    includeMultiTurn: run.include_multi_turn === 1,
  }
  const earlier = toApiScenario(row)
  const cell = planCell(plan, row.position, earlier.category)
  const content =
    model === undefined
      ? toContent(cell, writeAgain(cell, row, agent), 'template')
      : toContent(
          cell,
          await writeByModel(cell, earlier, { ...regeneration, model }, ports),
          'model',
        )
  signal.throwIfAborted()
  const replaced = { ...row, content: JSON.stringify(content) }
  const isReplaced = await ports.accounts.transaction(async ({ costRuns, clock }) =>
    costRuns.replaceScenario(replaced, await clock.now()),
  )
  if (!isReplaced) throw runInProgress()
  return { id: row.id, ...content }
}

/** With another seed than the earlier content, whatever that was. */
function writeAgain(cell: Cell, { content }: CostScenarioRow, agent: AgentConfig): ScenarioText {
  return writeFromTemplate(cell, `${seedOf(agent)} ${content}`)
}

const attemptsMax = 2

async function writeByModel(
  cell: Cell,
  { name }: ScenarioSummary,
  { found: { run }, ...task }: Regeneration & { readonly model: GatewayModel },
  ports: RegeneratePorts,
): Promise<ScenarioText> {
  const deadline = Date.now() + limits.generationSeconds.value * 1000
  const { write } = openScenarioWriter({ ...task, runId: run.id, deadline }, ports)
  let problem = 'its answer is not usable.'
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const written = await write([cell], [name])
    task.signal.throwIfAborted()
    const text = 'texts' in written ? written.texts.get(cell.position) : undefined
    if (text !== undefined) return text
    if ('problem' in written) problem = written.problem
  }
  throw new Failure('INTERNAL_ERROR', `The model wrote no scenario: ${problem}`, { status: 502 })
}
