import type { Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { EvaluationRuleProgress, EvaluationRuleRow } from './evaluation-tables.ts'
import type { Tables } from './tables.ts'

export type EvaluationRuleChange = Partial<
  Omit<EvaluationRuleRow, 'id' | 'organization_id' | 'project_id' | 'created_by' | 'created_at'>
>

export function evaluationRuleStore(db: Kysely<Tables>) {
  const one = (projectId: string, id: string) =>
    db.updateTable('evaluation_rules').where('project_id', '=', projectId).where('id', '=', id)

  return {
    /** Oldest first. */
    list(projectId: string): Promise<EvaluationRuleRow[]> {
      return db
        .selectFrom('evaluation_rules')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('id')
        .execute()
    },

    find(projectId: string, id: string): Promise<EvaluationRuleRow | undefined> {
      return db
        .selectFrom('evaluation_rules')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .executeTakeFirst()
    },

    /** Of all projects, by id. */
    listEnabled(after: string, limit: number): Promise<EvaluationRuleRow[]> {
      return db
        .selectFrom('evaluation_rules')
        .selectAll()
        .where('is_enabled', '=', 1)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    async insert(row: EvaluationRuleRow): Promise<void> {
      await db.insertInto('evaluation_rules').values(row).execute()
    },

    /** Undefined when the project has no such rule. */
    update(
      projectId: string,
      id: string,
      change: EvaluationRuleChange,
    ): Promise<EvaluationRuleRow | undefined> {
      return one(projectId, id).set(change).returningAll().executeTakeFirst()
    },

    /**
     * Stores what was decided after the position of `before`. False when another step has, or the rule was enabled again
     * or removed; with `updatedAt`, also when it was edited after that.
     */
    async advance(
      before: EvaluationRuleRow,
      progress: Partial<EvaluationRuleProgress>,
      updatedAt?: Timestamp,
    ): Promise<boolean> {
      const { numUpdatedRows } = await one(before.project_id, before.id)
        .set(progress)
        .where('active_since', '=', before.active_since)
        .where('position', before.position === null ? 'is' : '=', before.position)
        .$if(updatedAt !== undefined, (update) => update.where('updated_at', '=', updatedAt!))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Returns the removed rule; undefined when the project has no such one. */
    remove(projectId: string, id: string): Promise<EvaluationRuleRow | undefined> {
      return db
        .deleteFrom('evaluation_rules')
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },
  }
}
