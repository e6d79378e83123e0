import { type Evaluator, type EvaluatorCategory, isJudge } from '@assay/contract/evaluators.ts'
import { nameId } from '../platform/name-id.ts'
import { accuracyOf } from './evaluator-accuracy.ts'
import { evaluatorFacts } from './evaluator-facts.ts'

/*
 * The built-in evaluators and collections as the API returns them. They have no rows: their ids follow from their keys.
 */

const namespace = '6f9d8c3e-1f0b-5c7a-9d54-2b1f2f4f6a10'

/** When this catalogue was first released. */
const createdAt = '2026-11-22T00:00:00.000Z'

function builtInId(key: string): string {
  return nameId(namespace, key)
}

/** In the order of the catalogue. */
export function listBuiltIn(organizationId: string): Evaluator[] {
  return evaluatorFacts.map((one) => ({
    ...{ id: builtInId(one.key), organization_id: organizationId, key: one.key, name: one.name },
    ...{ description: one.description, category: categoryOf(one.key), tags: [one.use] },
    prompt_template: one.instructions,
    eval_type: one.instructions === null ? 'offline_deterministic' : 'model_judge',
    ...{ threshold: one.threshold, reads: [...one.reads], accuracy: accuracyOf(one) },
    ...{ is_default: true, created_at: createdAt },
  }))
}

/** The name of a built-in evaluator; undefined when the id is of none. */
export function findBuiltInName(id: string): string | undefined {
  return evaluatorFacts.find(({ key }) => builtInId(key) === id)?.name
}

function categoryOf(key: string): EvaluatorCategory {
  return key.slice(0, key.indexOf('.')) as EvaluatorCategory
}

export interface BuiltInCollection {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly evaluators: readonly Evaluator[]
  readonly createdAt: string
}

interface Choice {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly has: (evaluator: Evaluator) => boolean
}

const needsNoModel = (one: Evaluator) => !isJudge(one)
const isIn = (...categories: readonly EvaluatorCategory[]) => {
  return ({ category }: Evaluator) => categories.includes(category)
}

const choices: readonly Choice[] = [
  {
    key: 'core-offline',
    name: 'Core offline',
    description:
      'Quality, tool use and performance. Precise enough to block a release, and needs no model.',
    has: (one) =>
      needsNoModel(one) &&
      one.tags.includes('gate') &&
      isIn('quality', 'agent', 'performance')(one),
  },
  {
    key: 'safety-offline',
    name: 'Safety and privacy offline',
    description: 'Injections, dangerous actions, personal data and secrets. Needs no model.',
    has: (one) => needsNoModel(one) && isIn('safety', 'privacy', 'bias')(one),
  },
  {
    key: 'agent-reliability',
    name: 'Agent reliability',
    description: 'Whether an agent uses its tools well and reports what really happened.',
    has: isIn('agent', 'hallucination'),
  },
  {
    key: 'rag',
    name: 'RAG',
    description:
      'Whether answers follow from what was retrieved, and what was retrieved is relevant.',
    has: isIn('faithfulness', 'relevance'),
  },
  {
    key: 'mcp',
    name: 'MCP',
    description: 'Definitions, results and use of tools over the Model Context Protocol.',
    has: isIn('mcp'),
  },
  {
    key: 'memory',
    name: 'Conversation and memory',
    description: 'Whether memory is fresh, used, and kept over a conversation.',
    has: isIn('memory'),
  },
  {
    key: 'everything',
    name: 'Everything',
    description: 'All built-in evaluators.',
    has: () => true,
  },
]

/** Those with at least one evaluator. */
export function listBuiltInCollections(organizationId: string): BuiltInCollection[] {
  const all = listBuiltIn(organizationId)
  return choices.map(({ key, name, description, has }) => ({
    id: nameId(namespace, `collection ${key}`),
    ...{ name, description, evaluators: all.filter(has), createdAt },
  }))
}
