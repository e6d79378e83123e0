import type {
  Evaluator,
  EvaluatorCategory,
  EvaluatorCollection,
} from '@assay/contract/evaluators.ts'
import { listBuiltIn, listBuiltInCollections } from '../../evaluators/built-in.ts'
import { Failure } from '../../platform/failure.ts'
import type { StoredCollection } from '../../storage/accounts/evaluator-collection-store.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { EvaluatorRow } from '../../storage/accounts/tables.ts'

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

export async function listAllCollections(
  organizationId: string,
  stores: Stores,
): Promise<Collection[]> {
  const all = await listAllEvaluators(organizationId, stores)
  const builtIn = listBuiltInCollections(organizationId).map(
    ({ id, name, description, evaluators, createdAt }) => ({
      ...{ id, organization_id: organizationId, name, description },
      ...{ evaluator_ids: evaluators.map((one) => one.id), evaluators: [...evaluators] },
      ...{ is_default: true, created_at: createdAt },
    }),
  )
  const own = await stores.evaluatorCollections.list(organizationId)
  return [...builtIn, ...own.map((row) => toCollection(row, all))]
}

/** The evaluators of a collection can be deleted one by one. */
export function requireEvaluators({ evaluators }: Collection): void {
  if (evaluators.length > 0) return
  throw new Failure(
    'VALIDATION_ERROR',
    'collection_id has no evaluators: add one to the collection, or choose another',
  )
}

export function toCollection(
  { evaluatorIds, ...row }: StoredCollection,
  all: readonly Evaluator[],
): Collection {
  const byId = new Map(all.map((one) => [one.id, one]))
  const evaluators = evaluatorIds.flatMap((id) => byId.get(id) ?? [])
  return {
    ...row,
    evaluator_ids: evaluators.map(({ id }) => id),
    evaluators,
    is_default: false,
  }
}

export function toApiCollection({ evaluators, ...collection }: Collection): EvaluatorCollection {
  return {
    ...collection,
    evaluators: evaluators.map(
      ({ description: _, prompt_template: __, accuracy: ___, ...one }) => one,
    ),
  }
}
