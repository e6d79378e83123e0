import {
  createEvaluatorCollection,
  deleteEvaluatorCollection,
  type Evaluator,
  listEvaluatorCollections,
  updateEvaluatorCollection,
} from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import { type Actor, recordEvent, userActor } from '../../../accounts/audit.ts'
import { checkListLimit } from '../../../accounts/list-limit.ts'
import { listBuiltInCollections } from '../../../evaluators/built-in.ts'
import { Failure } from '../../../platform/failure.ts'
import { newOrderedId } from '../../../platform/ids.ts'
import type { EvaluatorCollectionRow } from '../../../storage/accounts/evaluation-tables.ts'
import type { StoredCollection } from '../../../storage/accounts/evaluator-collection-store.ts'
import type { AccountStores } from '../../../storage/accounts/stores.ts'
import type { EvaluatorPorts } from './evaluator-routes.ts'
import {
  collectionSerializer,
  listAllCollections,
  loadEvaluators,
  toApiCollection,
  toCollection,
} from './evaluators.ts'

export function registerEvaluatorCollections({
  bind,
  accounts,
  clock,
  longLists,
}: EvaluatorPorts): void {
  bind(listEvaluatorCollections, ({ caller: { organizationId }, readOptions }) => {
    const read = () => listAllCollections(organizationId, accounts)
    return longLists(readOptions, read, collectionSerializer())
  })

  bind(createEvaluatorCollection, async ({ caller, client, body }) => {
    const { organizationId, user } = caller
    const { evaluator_ids: evaluatorIds, name, description } = body
    const collection: StoredCollection = {
      ...{ id: newOrderedId(), organization_id: organizationId, name, description },
      ...{ evaluatorIds, created_at: clock.now().toISOString() },
    }
    return await accounts.transaction(async (stores) => {
      await stores.organizations.lock(organizationId)
      const count = await stores.evaluatorCollections.count(organizationId)
      const limit = limits.collectionsPerOrganization
      checkListLimit(count, limit, 'An organization', 'Delete one first.')
      const evaluators = await loadKnown(collection, stores)
      await stores.evaluatorCollections.insert(collection)
      const actor = userActor(user, client)
      await record('evaluator_collection.created', collection, actor, collection.created_at, stores)
      return toApiCollection(toCollection(collection, evaluators))
    })
  })

  bind(updateEvaluatorCollection, async ({ caller, client, params: { collectionId }, body }) => {
    const { organizationId, user } = caller
    refuseBuiltIn(collectionId, organizationId)
    return await accounts.transaction(async (stores) => {
      await stores.organizations.lock(organizationId)
      const [before] = await stores.evaluatorCollections.listByIds(organizationId, [collectionId])
      if (before === undefined) throw notFound()
      const { name, description, evaluator_ids: evaluatorIds } = body
      const changed: StoredCollection = {
        ...before,
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(evaluatorIds !== undefined && { evaluatorIds }),
      }
      const evaluators = await loadKnown(changed, stores)
      await stores.evaluatorCollections.replace(changed)
      const at = clock.now().toISOString()
      await record('evaluator_collection.updated', changed, userActor(user, client), at, stores)
      return toApiCollection(toCollection(changed, evaluators))
    })
  })

  bind(deleteEvaluatorCollection, async ({ caller, client, params: { collectionId } }) => {
    const { organizationId, user } = caller
    refuseBuiltIn(collectionId, organizationId)
    await accounts.transaction(async (stores) => {
      const row = await stores.evaluatorCollections.remove(organizationId, collectionId)
      if (row === undefined) throw notFound()
      const at = clock.now().toISOString()
      await record('evaluator_collection.removed', row, userActor(user, client), at, stores)
    })
    return { deleted: true as const }
  })
}

const notFound = () => new Failure('NOT_FOUND', 'Collection not found.')

function refuseBuiltIn(id: string, organizationId: string): void {
  if (!listBuiltInCollections(organizationId).some((one) => one.id === id)) return
  throw new Failure('FORBIDDEN', 'A built-in collection cannot be changed or deleted.')
}

/** The evaluators of the collection, by id. */
async function loadKnown(
  { organization_id: organizationId, evaluatorIds }: StoredCollection,
  stores: AccountStores,
): Promise<ReadonlyMap<string, Evaluator>> {
  const evaluators = await loadEvaluators(organizationId, evaluatorIds, stores)
  const byId = new Map(evaluators.map((one) => [one.id, one]))
  if (evaluatorIds.every((id) => byId.has(id))) return byId
  // Specification, "Input failures that surface as 500 INTERNAL_ERROR".
  throw new Failure('INTERNAL_ERROR', 'An unexpected error occurred.')
}

type Action =
  | 'evaluator_collection.created'
  | 'evaluator_collection.updated'
  | 'evaluator_collection.removed'

function record(
  action: Action,
  { id, organization_id: organizationId, name }: EvaluatorCollectionRow,
  actor: Actor,
  at: string,
  stores: Parameters<typeof recordEvent>[3],
): Promise<void> {
  return recordEvent({ action, organizationId, targetId: id, details: { name } }, actor, at, stores)
}
