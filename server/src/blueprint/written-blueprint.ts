import { fieldTypes, toolEffects } from '@assay/contract/blueprint.ts'
import { limits } from '@assay/contract/limits.ts'
import { scenarioCategories } from '@assay/contract/scenarios.ts'
import { z } from 'zod'

/*
 * A blueprint as a model writes it, in the order of its parts: what matters most comes first, so that an answer that is
 * cut off loses the least. Providers with strict schemas accept no records, so rows are lists of cells.
 */

const count = z.int()

/** As a refinement, because strict schemas accept no lengths either. */
const limited = (max: number) =>
  z.string().refine((written) => written.trim() !== '' && written.length <= max)

export const parameterTypes = ['string', 'integer', 'number', 'boolean'] as const

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const writtenAgent = z.object({
  domain: z.string(),
  system_prompt: z.string(),
  tone: z.string(),
  memory: z.string(),
  goals: z.array(z.string()),
})

export const writtenTool = z.object({
  name: limited(limits.agentToolNameLength.value),
  description: z.string(),
  entity: z.string().nullable(),
  effect: z.enum(toolEffects),
  parameters: z.array(
    z.object({
      name: limited(limits.blueprintNameLength.value),
      type: z.enum(parameterTypes),
      description: z.string(),
      required: z.boolean(),
      values: z.array(z.string()).nullable(),
    }),
  ),
})
export type WrittenTool = z.output<typeof writtenTool>

export const writtenPolicy = z.object({
  id: limited(limits.blueprintNameLength.value),
  text: limited(limits.blueprintTextLength.value),
  quote: z.string().nullable(),
  tools: z.array(z.string()),
})
export type WrittenPolicy = z.output<typeof writtenPolicy>

const writtenField = z.object({
  name: limited(limits.blueprintNameLength.value),
  type: z.enum(fieldTypes),
  unique: z.boolean(),
  values: z.array(z.string()).nullable(),
})
export type WrittenField = z.output<typeof writtenField>

export const writtenEntity = z.object({
  name: limited(limits.blueprintNameLength.value),
  fields: z.array(writtenField).refine((fields) => fields.length > 0),
})
export type WrittenEntity = z.output<typeof writtenEntity>

const writtenRelation = z.object({
  from_entity: z.string(),
  from_field: z.string(),
  to_entity: z.string(),
  to_field: z.string(),
})

export const writtenRow = z.object({ entity: z.string(), cells: z.array(cell) })
export type WrittenRow = z.output<typeof writtenRow>

const text = limited(limits.blueprintTextLength.value)

export const writtenTask = z.object({
  id: limited(limits.blueprintNameLength.value),
  title: text,
  category: z.enum(scenarioCategories),
  brief: text,
  known: z.array(text),
  unknown: z.array(text),
  expected_calls: z.array(
    z.object({ tool: z.string(), arguments: z.array(z.object({ name: z.string(), value: cell })) }),
  ),
  expected_outcome: text,
})
export type WrittenTask = z.output<typeof writtenTask>

/** The parts that are lists. The manifest has how many items each will have. */
export const listParts = {
  tools: writtenTool,
  policies: writtenPolicy,
  entities: writtenEntity,
  relations: writtenRelation,
  rows: writtenRow,
  tasks: writtenTask,
} as const
export type ListPart = keyof typeof listParts

export const manifest = z.object({
  tools: count,
  policies: count,
  entities: count,
  relations: count,
  rows: count,
  tasks: count,
})

/** What the model is asked for. Its text is read part by part (read-parts.ts). */
export const writtenBlueprint = z.object({
  manifest,
  agent: writtenAgent,
  tools: z.array(writtenTool),
  policies: z.array(writtenPolicy),
  entities: z.array(writtenEntity),
  relations: z.array(writtenRelation),
  rows: z.array(writtenRow),
  tasks: z.array(writtenTask),
  end: z.literal('end'),
})
