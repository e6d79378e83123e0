import type {
  CollectedEvaluator,
  Evaluator,
  EvaluatorCategory,
  EvaluatorCollection,
} from '@assay/contract/evaluators.ts'
import { listBuiltIn, listBuiltInCollections } from '../../../evaluators/built-in.ts'
import { Failure } from '../../../platform/failure.ts'
import type { EvaluatorRow } from '../../../storage/accounts/evaluation-tables.ts'
import type { StoredCollection } from '../../../storage/accounts/evaluator-collection-store.ts'
import type { AccountStores } from '../../../storage/accounts/stores.ts'

/*
 * The evaluators and collections of an organization: first those built in, then its own, oldest first.
 */

type Stores = Pick<AccountStores, 'evaluators' | 'evaluatorCollections'>

/** A collection with its evaluators in full. */
export interface Collection extends Omit<EvaluatorCollection, 'evaluators'> {
  readonly evaluators: readonly Evaluator[]
}

export async function listAllEvaluators(
  organizationId: string,
  { evaluators }: Pick<AccountStores, 'evaluators'>,
): Promise<Evaluator[]> {
  const own = await evaluators.list(organizationId)
  return [...listBuiltIn(organizationId), ...own.map(toApiEvaluator)]
}

export function toApiEvaluator(row: EvaluatorRow): Evaluator {
  const { id, organization_id, name, description, prompt_template, threshold, created_at } = row
  return {
    ...{ id, organization_id, key: null, name, description, prompt_template, threshold },
    category: row.category as EvaluatorCategory,
    tags: JSON.parse(row.tags) as string[],
    eval_type: 'model_judge',
    reads: readsOf(prompt_template),
    accuracy: null,
    is_default: false,
    created_at,
  }
}

/** What the placeholders of a template stand for. */
function readsOf(template: string): string[] {
  return ['trace', 'input', 'output'].filter((name) => template.includes(`{{${name}}}`))
}

/** By id, or by the key of a built-in one. */
export async function findEvaluator(
  organizationId: string,
  idOrKey: string,
  { evaluators }: Pick<AccountStores, 'evaluators'>,
): Promise<Evaluator | undefined> {
  const builtIn = listBuiltIn(organizationId).find(({ id, key }) => [id, key].includes(idOrKey))
  if (builtIn !== undefined) return builtIn
  const row = await evaluators.find(organizationId, idOrKey)
  return row && toApiEvaluator(row)
}

/** In any order, without those that the organization cannot use. */
export async function loadEvaluators(
  organizationId: string,
  ids: readonly string[],
  { evaluators }: Pick<AccountStores, 'evaluators'>,
): Promise<Evaluator[]> {
  const wanted = new Set(ids)
  const builtIn = listBuiltIn(organizationId).filter(({ id }) => wanted.has(id))
  const own = await evaluators.listByIds(organizationId, [...wanted])
  return [...builtIn, ...own.map(toApiEvaluator)]
}

export async function listAllCollections(
  organizationId: string,
  stores: Stores,
): Promise<Collection[]> {
  const all = await listAllEvaluators(organizationId, stores)
  const own = await stores.evaluatorCollections.list(organizationId)
  return [...toBuiltInCollections(organizationId), ...toCollections(own, all)]
}

/** Without those that the organization does not have. */
export async function loadCollections(
  organizationId: string,
  ids: readonly string[],
  stores: Stores,
): Promise<Collection[]> {
  const builtIn = toBuiltInCollections(organizationId).filter(({ id }) => ids.includes(id))
  const own = await stores.evaluatorCollections.listByIds(organizationId, ids)
  const evaluatorIds = own.flatMap((row) => row.evaluatorIds)
  const evaluators = await loadEvaluators(organizationId, evaluatorIds, stores)
  return [...builtIn, ...toCollections(own, evaluators)]
}

/** The evaluators of a collection can be deleted one by one. */
export function requireEvaluators({ evaluators }: Collection): void {
  if (evaluators.length > 0) return
  throw new Failure(
    'VALIDATION_ERROR',
    'collection_id has no evaluators: add one to the collection, or choose another',
  )
}

function toBuiltInCollections(organizationId: string): Collection[] {
  return listBuiltInCollections(organizationId).map(
    ({ id, name, description, evaluators, createdAt }) => ({
      ...{ id, organization_id: organizationId, name, description },
      ...{ evaluator_ids: evaluators.map((one) => one.id), evaluators },
      ...{ is_default: true, created_at: createdAt },
    }),
  )
}

function toCollections(
  rows: readonly StoredCollection[],
  evaluators: readonly Evaluator[],
): Collection[] {
  const byId = new Map(evaluators.map((one) => [one.id, one]))
  return rows.map((row) => toCollection(row, byId))
}

export function toCollection(
  { evaluatorIds, ...row }: StoredCollection,
  byId: ReadonlyMap<string, Evaluator>,
): Collection {
  const evaluators = evaluatorIds.flatMap((id) => byId.get(id) ?? [])
  return {
    ...row,
    evaluator_ids: evaluators.map(({ id }) => id),
    evaluators,
    is_default: false,
  }
}

export function toApiCollection({ evaluators, ...collection }: Collection): EvaluatorCollection {
  return { ...collection, evaluators: evaluators.map(toCollected) }
}

/** As JSON. Evaluators that several collections have are serialized once. */
export function collectionSerializer(): (collection: Collection) => string {
  const texts = new Map<string, string>()
  const textOf = (one: Evaluator) => {
    const text = texts.get(one.id) ?? JSON.stringify(toCollected(one))
    texts.set(one.id, text)
    return text
  }
  return ({ evaluators, ...collection }) => {
    const head = JSON.stringify(collection).slice(0, -1)
    return `${head},"evaluators":[${evaluators.map(textOf).join()}]}`
  }
}

function toCollected({
  description: _,
  prompt_template: __,
  accuracy: ___,
  ...one
}: Evaluator): CollectedEvaluator {
  return one
}
