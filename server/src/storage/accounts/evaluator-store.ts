import type { Kysely } from 'kysely'
import type { EvaluatorRow } from './evaluation-tables.ts'
import type { Tables } from './tables.ts'

type Changeable = Omit<EvaluatorRow, 'id' | 'organization_id' | 'created_at'>

/** What is undefined stays as it is. */
export type EvaluatorChanges = {
  readonly [Name in keyof Changeable]?: Changeable[Name] | undefined
}

export function evaluatorStore(db: Kysely<Tables>) {
  return {
    /** Oldest first. */
    list(organizationId: string): Promise<EvaluatorRow[]> {
      return db
        .selectFrom('evaluators')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('id')
        .execute()
    },

    /** In any order, without those that the organization does not have. */
    async listByIds(organizationId: string, ids: readonly string[]): Promise<EvaluatorRow[]> {
      if (ids.length === 0) return []
      return await db
        .selectFrom('evaluators')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', 'in', ids)
        .execute()
    },

    find(organizationId: string, id: string): Promise<EvaluatorRow | undefined> {
      return db
        .selectFrom('evaluators')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
    },

    async count(organizationId: string): Promise<number> {
      const row = await db
        .selectFrom('evaluators')
        .select((evaluator) => evaluator.fn.countAll<number | string>().as('rows'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },

    async insert(evaluator: EvaluatorRow): Promise<void> {
      await db.insertInto('evaluators').values(evaluator).execute()
    },

    /** Undefined when the organization has no such evaluator. */
    update(
      organizationId: string,
      id: string,
      changes: EvaluatorChanges,
    ): Promise<EvaluatorRow | undefined> {
      return db
        .updateTable('evaluators')
        .set({ id, ...changes })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    /** Returns the removed evaluator; undefined when the organization has no such one. */
    remove(organizationId: string, id: string): Promise<EvaluatorRow | undefined> {
      return db
        .deleteFrom('evaluators')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },
  }
}
