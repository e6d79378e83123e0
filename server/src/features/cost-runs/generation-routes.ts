import type { Input } from '@assay/contract/endpoint.ts'
import {
  resumeGeneration as resumeEndpoint,
  streamResumption,
} from '@assay/contract/generation-resumption.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  type GeneratedScenarios,
  generateScenarios as generateEndpoint,
  type ScenarioEvent,
  type ScenarioSummary,
  streamScenarios,
} from '@assay/contract/scenarios.ts'
import type { ProjectCaller } from '../../accounts/caller.ts'
import {
  AlternativeResponse,
  type Bind,
  type Call,
  type CallReadOptions,
  type JsonPart,
  type JsonPieces,
  ReadyJson,
} from '../../http/call.ts'
import { openLongLists } from '../../http/long-lists.ts'
import { Failure, Unavailable } from '../../platform/failure.ts'
import { newOrderedId } from '../../platform/ids.ts'
import { type MemberBudget, openMemberBudget } from '../../platform/member-budget.ts'
import { completedLine } from './completed-line.ts'
import { checkRoom, type GeneratePorts, generateScenarios } from './generate-scenarios.ts'
import { findScenario, regenerateScenario } from './regenerate-scenario.ts'
import { findResumable, resumeGeneration } from './resume-generation.ts'
import { findWriter } from './scenario-writer.ts'

export interface GenerationPorts extends GeneratePorts {
  readonly bind: Bind
}

type Generated = GeneratedScenarios | { readonly scenario: ScenarioSummary }
type Events<Data = Generated> = AsyncGenerator<ScenarioEvent, Data>

export function registerGeneration(ports: GenerationPorts): void {
  const { bind } = ports
  const budget = openMemberBudget({
    total: limits.scenarioGenerations.value,
    ofOrganization: limits.scenarioGenerationsOfOrganization.value,
    ofUser: limits.scenarioGenerationsOfUser.value,
    refusal: 'Too many requests are writing scenarios. Try again when one has finished.',
  })

  const longLists = openLongLists()
  /** A model can write tens of megabytes. */
  const serialize = async ({ scenarios, ...others }: GeneratedScenarios, by: Caller) => {
    const list = await longLists(by, async () => scenarios, JSON.stringify)
    return [`${JSON.stringify(others).slice(0, -1)},"scenarios":`, ...list.parts, '}']
  }
  const toResponse = async (data: GeneratedScenarios, by: Caller) =>
    new ReadyJson(...(await serialize(data, by)))

  bind(generateEndpoint, async (call) => {
    const { readOptions } = call
    const data = await toEnd(withinBudget(await prepare(call, ports), readOptions, budget))
    return 'scenario' in data ? new AlternativeResponse(data) : await toResponse(data, readOptions)
  })

  bind(streamScenarios, async (call) => {
    const { readOptions } = call
    const events = withinBudget(await prepare(call, ports), readOptions, budget)
    return toLines(events, (data) => serialize(data, readOptions))
  })

  const resume = async ({ caller, params: { runId }, readOptions }: ResumptionCall) => {
    const { organizationId, projectId } = caller
    const found = await findResumable(organizationId, projectId, runId, ports)
    const { requester, signal } = readOptions
    const notice = found.notice && withTemplates(found.notice)
    const resumption = { ...found, notice, requester, signal }
    return withinBudget(resumeGeneration(resumption, ports), readOptions, budget)
  }
  bind(resumeEndpoint, async (call) =>
    toResponse(await toEnd(await resume(call)), call.readOptions),
  )
  bind(streamResumption, async (call) =>
    toLines(await resume(call), (data) => serialize(data, call.readOptions)),
  )
}

type Caller = Pick<CallReadOptions, 'requester' | 'signal'>

type ResumptionCall = Pick<Call<typeof resumeEndpoint>, 'caller' | 'params' | 'readOptions'>

interface GenerationCall {
  readonly caller: ProjectCaller
  readonly body: Input<typeof generateEndpoint>['body']
  readonly readOptions: Caller
}

/** Finds what the request refers to. Throws a Failure if it does not exist. */
async function prepare(
  { caller, body, readOptions: { requester, signal } }: GenerationCall,
  ports: GenerationPorts,
): Promise<Events> {
  const { organizationId, projectId, user } = caller
  const { agent_config: agent, run_id: runId, scenario_id: scenarioId } = body
  const isAgain = runId !== undefined && scenarioId !== undefined
  const found = isAgain ? await findScenario(projectId, runId, scenarioId, ports) : undefined
  // Null requests the platform model or templates.
  const { model_config_id: modelConfigId = found?.run.model_config_id ?? null } = body
  const writer = await findWriter(organizationId, modelConfigId, ports)
  const model = 'model' in writer ? writer.model : undefined
  if (found !== undefined) {
    return regenerate(found.run.id, () =>
      regenerateScenario(
        { organizationId, projectId, requester, agent, model, found, signal },
        ports,
      ),
    )
  }
  const { scenario_count: scenarioCount = 3, include_multi_turn: includeMultiTurn = false } = body
  await checkRoom(projectId, scenarioCount, ports.accounts.costRuns)
  const notice = 'unavailable' in writer ? withTemplates(writer.unavailable) : undefined
  return generateScenarios(
    {
      ...{ organizationId, projectId, userId: user.id, requester, runId: newOrderedId() },
      ...{ agent, scenarioCount, includeMultiTurn, model, modelConfigId, notice, signal },
    },
    ports,
  )
}

const withTemplates = (reason: string) => `${reason} The scenarios are from templates.`

async function* regenerate(runId: string, write: () => Promise<ScenarioSummary>): Events {
  yield { type: 'started', run_id: runId, total: 1 }
  const scenario = await write()
  yield { type: 'scenario', scenario }
  return { scenario }
}

/** Takes its share when it starts, so that one that never starts holds none. */
async function* withinBudget<Data>(
  events: Events<Data>,
  { requester }: Caller,
  budget: MemberBudget,
): Events<Data> {
  const release = budget.take(requester)
  try {
    return yield* events
  } finally {
    release()
  }
}

async function toEnd<Data>(events: Events<Data>): Promise<Data> {
  for (;;) {
    const step = await events.next()
    if (step.done === true) return step.value
  }
}

/** With the response of the other endpoint, or why there is none, as the last line. */
async function* toLines(
  events: Events,
  serialize: (data: GeneratedScenarios) => Promise<readonly JsonPart[]>,
): AsyncGenerator<ScenarioEvent | JsonPieces> {
  try {
    const data = yield* events
    if ('scenario' in data) yield { type: 'completed', data }
    else yield completedLine(await serialize(data))
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Unavailable)) throw error
    yield { type: 'error', message: error.message }
  }
}
