import type { AgentConfig } from '@assay/contract/agent-config.ts'
import { type Blueprint, toAgentConfig } from '@assay/contract/blueprint.ts'
import { limits } from '@assay/contract/limits.ts'
import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import { newNonce } from '../../evaluators/judge/fenced-data.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { Failure } from '../../platform/failure.ts'
import { nameId } from '../../platform/name-id.ts'
import { type Cell, planCells, seedOf } from '../../scenarios/coverage.ts'
import {
  EveryCallFailed,
  type Filled,
  fillByModel,
  type Written,
} from '../../scenarios/fill-by-model.ts'
import { fillAnswer, fillPrompt, readFillAnswer } from '../../scenarios/fill-prompt.ts'
import { type CallModelPorts, callModel, type ModelCaller } from './call-model.ts'

/*
 * Scenarios for a preview of a blueprint, about the records that it has. Nothing is stored but the calls of the model.
 */

export interface Draft extends ModelCaller {
  readonly model: GatewayModel
  readonly blueprint: Blueprint
  readonly count: number
  readonly signal: AbortSignal
}

/** A person waits for it: what the model has not written by then is filled from templates. */
const draftMs = 120_000

export async function draftScenarios(
  draft: Draft,
  ports: CallModelPorts,
): Promise<ScenarioSummary[]> {
  const { projectId, blueprint, count, signal } = draft
  const agent = withRecords(blueprint)
  const cells = planCells({ agent, scenarioCount: count, includeMultiTurn: true })
  const deadline = Date.now() + draftMs
  const filled: Filled[] = []
  try {
    const batches = fillByModel(agent, cells, {
      write: (batch, avoidedNames) => write(draft, agent, batch, avoidedNames, ports),
      hasTime: () => Date.now() < deadline,
      signal,
      callsAtOnce: limits.modelCallsOfOrganization.value,
    })
    for await (const batch of batches) filled.push(...batch)
  } catch (error) {
    if (!(error instanceof EveryCallFailed)) throw error
    const message = `The model wrote no scenarios: ${error.message}`
    throw new Failure('INTERNAL_ERROR', message, { status: 502, cause: error })
  }
  const seed = seedOf(agent)
  return filled
    .sort((a, b) => a.cell.position - b.cell.position)
    .map(({ cell: { position }, content }) => ({
      id: nameId(projectId, `${seed} ${position}`),
      ...content,
    }))
}

/** Does not reject when the caller leaves: other calls may be under way. */
async function write(
  { organizationId, projectId, requester, model, signal }: Draft,
  agent: AgentConfig,
  cells: readonly Cell[],
  avoidedNames: readonly string[],
  ports: CallModelPorts,
): Promise<Written> {
  const prompt = fillPrompt(agent, cells, avoidedNames, newNonce())
  const call = { name: 'draft scenarios', ...prompt, signal }
  const caller = { organizationId, projectId, requester }
  try {
    const { value, problem } = await callModel(caller, model, call, fillAnswer, ports)
    if (value !== undefined) return { texts: readFillAnswer(value, cells) }
    return { problem: problem?.message ?? 'The model did not answer.' }
  } catch (error) {
    if (!signal.aborted) throw error
    return { problem: 'The request was canceled.' }
  }
}

const sampleRows = 3

/** Records in the memory of the agent, so that users ask for what is there. */
function withRecords(blueprint: Blueprint): AgentConfig {
  const agent = toAgentConfig(blueprint)
  const samples = blueprint.system_of_record.entities.map(
    ({ name, rows }) => `${name}: ${JSON.stringify(rows.slice(0, sampleRows))}`,
  )
  const records = samples.length === 0 ? [] : ['Records that exist:', ...samples]
  return {
    ...agent,
    memory: [agent.memory, ...records]
      .join('\n')
      .slice(0, limits.agentMemoryLength.value)
      .toWellFormed(),
  }
}
