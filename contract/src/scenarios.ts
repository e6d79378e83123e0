import { z } from 'zod'
import { agentConfig } from './agent-config.ts'
import { costEstimate } from './cost-calculator.ts'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, limitedList } from './fields.ts'
import { limits } from './limits.ts'
import { errorEvent, progressEvent, startedEvent } from './run-events.ts'

/*
 * Scenarios: conversations that a simulated user has with an agent.
 */

export const scenarioCategories = ['happy_path', 'edge_case', 'refusal', 'multi_turn'] as const
export type ScenarioCategory = (typeof scenarioCategories)[number]

export const scenarioGenerators = ['model', 'offline'] as const
export type ScenarioGenerator = (typeof scenarioGenerators)[number]

/** What the simulated user wants and has, in the members that an evaluation of a conversation reads as well. */
export const conversationPlan = z
  .object({
    goal: z.string().min(1).max(limits.scenarioGoalLength.value),
    known: z
      .array(z.string().min(1).max(limits.scenarioFactLength.value))
      .max(limits.scenarioFacts.value)
      .describe('what the user can provide'),
    unknown: z
      .array(z.string().min(1).max(limits.scenarioFactLength.value))
      .max(limits.scenarioFacts.value)
      .describe('what the user cannot provide'),
    satisfied_when: z
      .string()
      .min(1)
      .max(limits.scenarioFactLength.value)
      .describe('when the user ends the conversation'),
  })
  .meta({ id: 'ConversationPlan' })
export type ConversationPlan = z.output<typeof conversationPlan>

export const scenarioTurn = z
  .object({
    role: z.literal('user'),
    content: z.string().min(1).max(limits.scenarioTurnLength.value),
  })
  .meta({ id: 'ScenarioTurn' })
export type ScenarioTurn = z.output<typeof scenarioTurn>

export const scenarioTurns = z.array(scenarioTurn).min(1).max(limits.scenarioTurns.value)
export const scenarioName = z.string().trim().min(1).max(limits.scenarioNameLength.value)

/** All that is needed to execute it. */
export const scenarioSummary = z
  .object({
    id,
    name: z.string(),
    category: z.enum(scenarioCategories),
    conversation_plan: conversationPlan,
    turns: scenarioTurns.describe('of the user, in order; the agent answers after each'),
    origin: z
      .enum(['model', 'template'])
      .describe('`template`: written without a model, or because the model wrote none'),
    intent: z.string().describe('what the user comes for'),
    tools: limitedList(z.string(), 'scenarioTools').describe(
      'names of the tools that the agent needs; empty if it needs none',
    ),
    persona: z.string().describe('how the user writes'),
    complication: z.string().nullable().describe('what makes the conversation harder'),
  })
  .meta({ id: 'ScenarioSummary' })
export type ScenarioSummary = z.output<typeof scenarioSummary>

const generateBody = z
  .object({
    agent_config: agentConfig,
    model_config_id: id
      .nullish()
      .describe(
        'writes the scenarios; default: the model that wrote the run of `scenario_id`, else the platform model, or no model if there is none',
      ),
    scenario_count: z
      .int()
      .min(1)
      .max(limits.scenariosPerRun.value)
      .optional()
      .describe('default: 3'),
    include_multi_turn: z.boolean().optional().describe('default: false'),
    run_id: id.optional().describe('with `scenario_id`, to write one scenario again'),
    scenario_id: id.optional(),
  })
  .superRefine((body, context) => {
    const refuse = (path: keyof typeof body, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    const { run_id: runId, scenario_id: scenarioId } = body
    if (runId === undefined && scenarioId === undefined) return
    if (runId === undefined) refuse('run_id', 'is required with scenario_id')
    if (scenarioId === undefined) refuse('scenario_id', 'is required with run_id')
    for (const member of ['scenario_count', 'include_multi_turn'] as const) {
      if (body[member] !== undefined) refuse(member, 'must not be set together with scenario_id')
    }
  })
export type GenerateBody = z.output<typeof generateBody>

export const generatedScenarios = z
  .object({
    run_id: id,
    estimate: costEstimate.describe('with the default models, as `estimate` returns it'),
    scenarios: limitedList(scenarioSummary, 'scenariosPerRun'),
    generator: z.enum(scenarioGenerators).describe('`offline`: no model was called'),
    cost_usd: z.number().describe('of the model calls with a known price'),
    notices: limitedList(z.string(), 'costRunNotices'),
  })
  .meta({ id: 'GeneratedScenarios' })
export type GeneratedScenarios = z.output<typeof generatedScenarios>

const regeneratedScenario = z
  .object({ scenario: scenarioSummary })
  .meta({ id: 'RegeneratedScenario' })

export const scenarioEvent = z.discriminatedUnion('type', [
  startedEvent,
  z.object({ type: z.literal('estimate'), estimate: costEstimate }),
  z.object({ type: z.literal('scenario'), scenario: scenarioSummary }),
  progressEvent,
  z.object({
    type: z.literal('completed'),
    data: z.union([generatedScenarios, regeneratedScenario]),
  }),
  errorEvent,
])
export type ScenarioEvent = z.output<typeof scenarioEvent>

const mayRun = ['run_agents', 'manage_agents'] as const
const body = { ...appBody(generateBody), maxBytes: limits.agentBodyBytes.value }

export const generateScenarios = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/cost-calculator/generate-scenarios',
  tag: 'Cost calculator',
  summary: 'Write scenarios for an agent, or one of them again',
  description:
    'Creates a run with the scenarios. The combinations of category, intent, persona and complication are planned without a model, which then writes the texts; scenarios that it fails to write are filled from templates (`origin`). With `run_id` and `scenario_id`, one scenario is written again: it keeps its id and place, its results are removed, and `data` is `{scenario}`. If every call of the model fails, the response is 502 and no run is created.',
  access: { by: 'session', of: 'project', anyOf: mayRun },
  cost: 'expensive',
  params: inProject,
  body,
  success: {
    status: 201,
    data: z.union([generatedScenarios, regeneratedScenario]),
    alternative: { status: 200, when: 'if one scenario was written again' },
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'INTERNAL_ERROR 502', 'INTERNAL_ERROR 503'],
})

export const streamScenarios = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/cost-calculator/generate-scenarios/stream',
  tag: 'Cost calculator',
  summary: 'Write scenarios for an agent as a stream',
  description:
    'As above, with each scenario as soon as it is written; `data` of `completed` is that of the response above. Disconnect to cancel: scenarios written so far are kept in the run, and its generation can be resumed.',
  access: { by: 'session', of: 'project', anyOf: mayRun },
  cost: 'expensive',
  params: inProject,
  body: { ...body, malformed: 400 },
  reply: 'json-lines',
  success: { status: 200, data: scenarioEvent },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
