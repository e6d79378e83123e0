import type { Kysely } from 'kysely'
import type { EvaluatorCollectionRow } from './evaluation-tables.ts'
import type { Tables } from './tables.ts'

/** With the ids of its evaluators, in order. */
export interface StoredCollection extends EvaluatorCollectionRow {
  readonly evaluatorIds: readonly string[]
}

export function evaluatorCollectionStore(db: Kysely<Tables>) {
  return {
    /** Oldest first. */
    list: (organizationId: string) => select(db, organizationId),

    /** Oldest first, without those that the organization does not have. */
    async listByIds(organizationId: string, ids: readonly string[]): Promise<StoredCollection[]> {
      return ids.length === 0 ? [] : await select(db, organizationId, ids)
    },

    async count(organizationId: string): Promise<number> {
      const row = await db
        .selectFrom('evaluator_collections')
        .select((collection) => collection.fn.countAll<number | string>().as('rows'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },

    /** In a transaction. */
    async insert({ evaluatorIds, ...row }: StoredCollection): Promise<void> {
      await db.insertInto('evaluator_collections').values(row).execute()
      await putEvaluators(db, row.organization_id, row.id, evaluatorIds)
    },

    /** In a transaction. False when the organization has no such collection. */
    async replace({ evaluatorIds, ...row }: StoredCollection): Promise<boolean> {
      const { organization_id: organizationId, id, name, description } = row
      const updated = await db
        .updateTable('evaluator_collections')
        .set({ name, description })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (updated.numUpdatedRows === 0n) return false
      await db
        .deleteFrom('collected_evaluators')
        .where('organization_id', '=', organizationId)
        .where('collection_id', '=', id)
        .execute()
      await putEvaluators(db, organizationId, id, evaluatorIds)
      return true
    },

    /** Returns the removed collection; undefined when the organization has no such one. */
    remove(organizationId: string, id: string): Promise<EvaluatorCollectionRow | undefined> {
      return db
        .deleteFrom('evaluator_collections')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    /** From all collections of the organization. */
    async removeEvaluator(organizationId: string, evaluatorId: string): Promise<void> {
      await db
        .deleteFrom('collected_evaluators')
        .where('organization_id', '=', organizationId)
        .where('evaluator_id', '=', evaluatorId)
        .execute()
    },
  }
}

async function select(
  db: Kysely<Tables>,
  organizationId: string,
  ids?: readonly string[],
): Promise<StoredCollection[]> {
  const collections = await db
    .selectFrom('evaluator_collections')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .orderBy('id')
    .execute()
  const collected = await db
    .selectFrom('collected_evaluators')
    .select(['collection_id', 'evaluator_id'])
    .where('organization_id', '=', organizationId)
    .$if(ids !== undefined, (query) => query.where('collection_id', 'in', ids ?? []))
    .orderBy('collection_id')
    .orderBy('position')
    .execute()
  const byCollection = Map.groupBy(collected, (row) => row.collection_id)
  return collections.map((row) => ({
    ...row,
    evaluatorIds: (byCollection.get(row.id) ?? []).map((one) => one.evaluator_id),
  }))
}

async function putEvaluators(
  db: Kysely<Tables>,
  organizationId: string,
  collectionId: string,
  evaluatorIds: readonly string[],
): Promise<void> {
  const rows = evaluatorIds.map((evaluatorId, position) => ({
    ...{ organization_id: organizationId, collection_id: collectionId, position },
    evaluator_id: evaluatorId,
  }))
  if (rows.length > 0) await db.insertInto('collected_evaluators').values(rows).execute()
}
