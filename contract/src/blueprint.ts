import { z } from 'zod'
import { type AgentConfig, agentConfig, agentTool } from './agent-config.ts'
import { limitedList } from './fields.ts'
import { limits } from './limits.ts'
import { scenarioCategories } from './scenarios.ts'

/*
 * A blueprint: an agent with its tools and rules, the records that its tools work on, and tasks to try it with.
 * Its parts with defaults have no names in OpenAPI: as requests and as responses they are different schemas.
 */

const name = z.string().min(1).max(limits.blueprintNameLength.value)
const text = z.string().min(1).max(limits.blueprintTextLength.value)

export const fieldTypes = ['string', 'integer', 'number', 'boolean', 'date', 'datetime'] as const
export type FieldType = (typeof fieldTypes)[number]

export const toolEffects = ['read', 'create', 'update', 'delete', 'none'] as const
export type ToolEffect = (typeof toolEffects)[number]

const policy = z
  .object({
    id: name,
    text,
    source_quote: z
      .string()
      .max(limits.blueprintTextLength.value)
      .nullable()
      .describe('the sentence of the source; null if the source has none'),
    source_start: z.int().nullable().describe('UTF-16 offsets of the quote in the text'),
    source_end: z.int().nullable(),
    tools: z.array(agentTool.shape.name).max(limits.agentTools.value),
  })
  .meta({ id: 'BlueprintPolicy' })
export type BlueprintPolicy = z.output<typeof policy>

const blueprintTool = agentTool.extend({
  mode: z.literal('simulated').default('simulated'),
  parameters: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('a JSON Schema; `content` has its text'),
  entity: name.nullable().default(null).describe('the entity that it reads or changes'),
  effect: z.enum(toolEffects).default('none'),
})
export type BlueprintTool = z.output<typeof blueprintTool>

const blueprintAgent = agentConfig.extend({
  tools: z.array(blueprintTool).max(limits.agentTools.value).default([]),
  goals: z.array(text).max(limits.blueprintGoals.value).default([]),
  policies: z.array(policy).max(limits.blueprintPolicies.value).default([]),
})

const field = z.object({ name, type: z.enum(fieldTypes), unique: z.boolean().optional() })
export type BlueprintField = z.output<typeof field>

const cell = z.union([
  z.string().max(limits.blueprintTextLength.value),
  z.number(),
  z.boolean(),
  z.null(),
])
export type Cell = z.output<typeof cell>

const row = z.record(z.string().max(limits.blueprintNameLength.value), cell)
export type BlueprintRow = z.output<typeof row>

const entity = z
  .object({
    name,
    fields: z.array(field).min(1).max(limits.blueprintFields.value),
    rows: z.array(row).max(limits.blueprintRows.value),
  })
  .meta({ id: 'BlueprintEntity' })
export type BlueprintEntity = z.output<typeof entity>

const relation = z
  .object({ from_entity: name, from_field: name, to_entity: name, to_field: name })
  .meta({ id: 'BlueprintRelation' })
export type BlueprintRelation = z.output<typeof relation>

const task = z
  .object({
    id: name,
    title: text,
    category: z.enum(scenarioCategories),
    brief: text.describe('what the user wants'),
    known: z.array(text).max(limits.blueprintFacts.value).describe('what the user can provide'),
    unknown: z.array(text).max(limits.blueprintFacts.value).describe('what the user cannot'),
    expected_calls: z
      .array(z.object({ tool: agentTool.shape.name, arguments: row }))
      .max(limits.blueprintCalls.value),
    expected_outcome: text.describe('the end state, or why the agent refuses'),
  })
  .meta({ id: 'BlueprintTask' })
export type BlueprintTask = z.output<typeof task>

export const blueprint = z.object({
  domain: z.string().max(limits.blueprintDomainLength.value).default('general'),
  agent: blueprintAgent,
  system_of_record: z
    .object({
      entities: z.array(entity).max(limits.blueprintEntities.value).default([]),
      relations: z.array(relation).max(limits.blueprintRelations.value).default([]),
    })
    .default({ entities: [], relations: [] }),
  tasks: z.array(task).max(limits.blueprintTasks.value).default([]),
})
export type Blueprint = z.output<typeof blueprint>

/**
 * The agent alone, without records. Its system prompt ends with the goals and policies that it does not have yet, as many
 * as fit.
 */
export function toAgentConfig({ agent }: Blueprint): AgentConfig {
  const { tone, memory, tools } = agent
  return {
    ...{ system_prompt: promptWithRules(agent), tone, memory },
    tools: tools.map(({ kind, name, mode, description, content }) => ({
      ...{ kind, name, mode, description },
      ...(content === undefined ? {} : { content }),
    })),
  }
}

function promptWithRules({ system_prompt, goals, policies }: Blueprint['agent']): string {
  const rules = [
    ...goals.map((text) => ({ title: 'Goals', text })),
    ...policies.map(({ text }) => ({ title: 'Policies', text })),
  ].filter(({ text }) => !system_prompt.includes(text))
  let prompt = system_prompt
  let last = ''
  for (const { title, text } of rules) {
    const heading = title === last ? '' : `\n\n${title}:`
    const longer = `${prompt}${heading}\n- ${text}`
    if (longer.length > limits.systemPromptLength.value) continue
    prompt = longer
    last = title
  }
  return prompt
}

const check = z.object({
  name: z.string(),
  passed: z.boolean(),
  detail: z.string().describe('empty if there is nothing to add'),
})
export type BlueprintCheck = z.output<typeof check>

export const synthesis = z
  .object({
    partial: z.boolean().describe('whether `missing` has names'),
    missing: limitedList(z.string(), 'blueprintMissing').describe(
      'paths into the blueprint, such as `agent.tools` or `system_of_record.entities.orders.rows`',
    ),
    blueprint,
    artifact_markdown: z.string().describe('the blueprint as Markdown, written without a model'),
    checks: limitedList(check, 'blueprintChecks'),
    notes: limitedList(z.string(), 'sourceNotes').describe('what was left out or changed'),
    seed: z.int().describe('of the rows that were added to those of the model'),
    model: z.string(),
    usage: z.object({
      tokens_in: z.int().nullable(),
      tokens_out: z.int().nullable(),
      cost_usd: z.number().nullable(),
    }),
  })
  .meta({ id: 'Synthesis' })
export type Synthesis = z.output<typeof synthesis>
