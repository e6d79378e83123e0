import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  appBody,
  changeOf,
  id,
  inOrganization,
  label,
  limitedList,
  pathId,
  timestamp,
} from './fields.ts'
import { limits } from './limits.ts'

/** Source: interface specification, "Evaluator"; decisions, section 5. */
export const evaluatorCategories = [
  'quality',
  'agent',
  'safety',
  'mcp',
  'memory',
  'hallucination',
  'bias',
  'privacy',
  'faithfulness',
  'relevance',
  'performance',
  'custom',
] as const
export type EvaluatorCategory = (typeof evaluatorCategories)[number]

export const evalTypes = ['offline_deterministic', 'model_judge'] as const
export const evalType = z
  .enum(evalTypes)
  .describe('`offline_deterministic` needs no model; `model_judge` calls one')

/** What a prompt template may contain for the trace, its question and its answer. */
export const templatePlaceholders = ['{{trace}}', '{{input}}', '{{output}}'] as const

const category = z.enum(evaluatorCategories)
const description = z.string().max(limits.evaluatorDescriptionLength.value)
const tags = z
  .array(z.string().min(1).max(limits.evaluatorTagLength.value))
  .max(limits.evaluatorTags.value)
export const promptTemplate = z
  .string()
  .min(1)
  .max(limits.promptTemplateLength.value)
  .refine(
    (text) => templatePlaceholders.some((one) => text.includes(one)),
    `must contain at least one of ${templatePlaceholders.join(', ')}`,
  )
const threshold = z
  .number()
  .min(0)
  .max(1)
  .describe('a result passes with this score or a higher one')
/** Every result would pass with a threshold of 0. */
export const newThreshold = z
  .number()
  .positive()
  .max(1)
  .describe(
    'a result passes with this score or a higher one; a prompt scores 1 for yes and 0 for no',
  )

const share = z.number().min(0).max(1)

/** How well an evaluator finds the faults of labeled traces. */
export const accuracyMeasurement = z
  .object({
    data: z.object({
      name: z.string(),
      license: z.string(),
      url: z.string().nullable().describe('null for cases made for the measurement'),
    }),
    method: z.string().describe('what the cases are'),
    cases: z.int(),
    faulty: z.int().describe('how many cases have a fault'),
    precision: share.nullable().describe('the share of real faults among those found; null: none'),
    recall: share.describe('the share of the faults that were found'),
    kappa: z
      .number()
      .max(1)
      .nullable()
      .describe(
        'agreement beyond chance: 1 is perfect, 0 is chance; null where all verdicts are the same',
      ),
    caveat: z
      .string()
      .nullable()
      .describe('what most errors have in common, or why real traces differ'),
    measured_at: z.iso.date(),
  })
  .meta({ id: 'AccuracyMeasurement' })
export type AccuracyMeasurement = z.output<typeof accuracyMeasurement>

export const evaluatorAccuracy = z.object({
  measurements: limitedList(accuracyMeasurement, 'evaluatorMeasurements').describe(
    'on public data first; empty when it was not measured',
  ),
  note: z.string().nullable().describe('why it was not measured'),
})
export type EvaluatorAccuracy = z.output<typeof evaluatorAccuracy>

export const evaluator = z
  .object({
    id,
    organization_id: id,
    key: z
      .string()
      .nullable()
      .describe('the stable name of a built-in evaluator; null for one of the organization'),
    name: z.string(),
    category,
    description: z.string(),
    tags: limitedList(z.string(), 'evaluatorTags'),
    prompt_template: z.string().nullable().describe('null for evaluators that need no model'),
    eval_type: evalType,
    threshold,
    reads: limitedList(z.string(), 'evaluatorReads').describe('what it reads of a trace'),
    accuracy: evaluatorAccuracy.nullable().describe('null for evaluators of the organization'),
    is_default: z.boolean().describe('built in: cannot be changed or deleted'),
    created_at: timestamp,
  })
  .meta({ id: 'Evaluator' })
export type Evaluator = z.output<typeof evaluator>

/** Whether it calls a model. */
export function isJudge({ eval_type }: Pick<Evaluator, 'eval_type'>): boolean {
  return eval_type === 'model_judge'
}

export const listEvaluators = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/evaluators',
  tag: 'Evaluation',
  summary: 'List the built-in evaluators, then those of the organization',
  access: { by: 'session', of: 'organization' },
  cost: 'expensive',
  params: inOrganization,
  query: z.object({ category: category.optional() }),
  success: { status: 200, data: limitedList(evaluator, 'listedEvaluators') },
  errors: ['INTERNAL_ERROR 503'],
})

/** Of evaluators that an organization wrote. */
export const defaultThreshold = 0.7

const mayManage = ['manage_agents', 'manage_org_settings'] as const

const evaluatorFields = z.object({
  name: label,
  category,
  description: description.default(''),
  tags: tags.default([]),
  prompt_template: promptTemplate,
  threshold: newThreshold.default(defaultThreshold),
})

export const createEvaluator = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/evaluators',
  tag: 'Evaluation',
  summary: 'Create an evaluator with a prompt of your own',
  description:
    'A model judges the trace by the prompt. The placeholders are replaced once; their values are passed to the model as data, apart from the instructions.',
  access: { by: 'session', of: 'organization', anyOf: mayManage },
  cost: 'cheap',
  params: inOrganization,
  body: appBody(evaluatorFields),
  success: { status: 201, data: evaluator },
  errors: ['CONFLICT'],
})

const oneEvaluator = inOrganization.extend({ evaluatorId: pathId })

export const updateEvaluator = endpoint({
  method: 'PATCH',
  path: '/orgs/{orgId}/evaluators/{evaluatorId}',
  tag: 'Evaluation',
  summary: 'Change an evaluator of the organization',
  description:
    'Members that are left out stay as they are. Stored results keep the name that they were stored with.',
  access: { by: 'session', of: 'organization', anyOf: mayManage },
  cost: 'cheap',
  params: oneEvaluator,
  body: appBody(
    changeOf(
      z.object({
        name: label.optional(),
        category: category.optional(),
        description: description.optional(),
        tags: tags.optional(),
        prompt_template: promptTemplate.optional(),
        threshold: newThreshold.optional(),
      }),
    ),
  ),
  success: { status: 200, data: evaluator },
  errors: ['NOT_FOUND'],
})

export const deleteEvaluator = endpoint({
  method: 'DELETE',
  path: '/orgs/{orgId}/evaluators/{evaluatorId}',
  tag: 'Evaluation',
  summary: 'Delete an evaluator of the organization',
  description: 'It is removed from collections that contain it. Stored results remain.',
  access: { by: 'session', of: 'organization', anyOf: mayManage },
  cost: 'cheap',
  params: oneEvaluator,
  success: { status: 200, data: z.object({ deleted: z.literal(true) }) },
  errors: ['NOT_FOUND'],
})

/** Without its texts: a list of collections would repeat them often. */
const collectedEvaluator = evaluator.omit({
  description: true,
  prompt_template: true,
  accuracy: true,
})

export const evaluatorCollection = z
  .object({
    id,
    organization_id: id,
    name: z.string(),
    description: z.string(),
    evaluator_ids: limitedList(id, 'listedEvaluators').describe('in the order in which they run'),
    evaluators: limitedList(collectedEvaluator, 'listedEvaluators').describe(
      'the same evaluators, in the same order',
    ),
    is_default: z.boolean().describe('built in: cannot be changed or deleted'),
    created_at: timestamp,
  })
  .meta({ id: 'EvaluatorCollection' })
export type CollectedEvaluator = z.output<typeof collectedEvaluator>
export type EvaluatorCollection = z.output<typeof evaluatorCollection>

export const listEvaluatorCollections = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/evaluator-collections',
  tag: 'Evaluation',
  summary: 'List the built-in collections, then those of the organization',
  access: { by: 'session', of: 'organization' },
  cost: 'expensive',
  params: inOrganization,
  success: { status: 200, data: limitedList(evaluatorCollection, 'listedCollections') },
  errors: ['INTERNAL_ERROR 503'],
})

const collectionFields = z.object({
  name: label,
  description: description.default(''),
  evaluator_ids: z
    .array(id)
    .min(1)
    .max(limits.evaluatorsPerCollection.value)
    .refine((ids) => new Set(ids).size === ids.length, 'must not contain an evaluator twice'),
})

export const createEvaluatorCollection = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/evaluator-collections',
  tag: 'Evaluation',
  summary: 'Create a collection of evaluators',
  access: { by: 'session', of: 'organization', anyOf: mayManage },
  cost: 'cheap',
  params: inOrganization,
  body: appBody(collectionFields),
  success: { status: 201, data: evaluatorCollection },
  errors: ['CONFLICT', 'INTERNAL_ERROR'],
})

const oneCollection = inOrganization.extend({ collectionId: pathId })

export const updateEvaluatorCollection = endpoint({
  method: 'PATCH',
  path: '/orgs/{orgId}/evaluator-collections/{collectionId}',
  tag: 'Evaluation',
  summary: 'Change a collection of the organization',
  description:
    '`evaluator_ids` replaces the whole list. Members that are left out stay as they are.',
  access: { by: 'session', of: 'organization', anyOf: mayManage },
  cost: 'cheap',
  params: oneCollection,
  body: appBody(
    changeOf(
      z.object({
        name: label.optional(),
        description: description.optional(),
        evaluator_ids: collectionFields.shape.evaluator_ids.optional(),
      }),
    ),
  ),
  success: { status: 200, data: evaluatorCollection },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR'],
})

export const deleteEvaluatorCollection = endpoint({
  method: 'DELETE',
  path: '/orgs/{orgId}/evaluator-collections/{collectionId}',
  tag: 'Evaluation',
  summary: 'Delete a collection of the organization',
  description: 'Its evaluators and stored results remain.',
  access: { by: 'session', of: 'organization', anyOf: mayManage },
  cost: 'cheap',
  params: oneCollection,
  success: { status: 200, data: z.object({ deleted: z.literal(true) }) },
  errors: ['NOT_FOUND'],
})
