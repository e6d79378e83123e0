import type { Kysely } from 'kysely'
import type { AlertRuleRow, AlertState } from './alert-tables.ts'
import type { Timestamp } from './column-types.ts'
import type { Tables } from './tables.ts'

export type AlertRuleChange = Partial<
  Omit<AlertRuleRow, 'id' | 'organization_id' | 'project_id' | 'created_by' | 'created_at'>
>

/** Rules are due up to `now`, and after `latest`: the clock was ahead when these were scheduled. */
export interface DueRules {
  readonly now: Timestamp
  readonly latest: Timestamp
}

export function alertRuleStore(db: Kysely<Tables>) {
  return {
    ...checkStatements(db),

    /** Oldest first. */
    list(projectId: string): Promise<AlertRuleRow[]> {
      return db
        .selectFrom('alert_rules')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('id')
        .execute()
    },

    find(projectId: string, id: string): Promise<AlertRuleRow | undefined> {
      return db
        .selectFrom('alert_rules')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .executeTakeFirst()
    },

    async insert(row: AlertRuleRow): Promise<void> {
      await db.insertInto('alert_rules').values(row).execute()
    },

    /** Undefined when the project has no such rule. */
    update(
      projectId: string,
      id: string,
      change: AlertRuleChange,
    ): Promise<AlertRuleRow | undefined> {
      return one(db, projectId, id).set(change).returningAll().executeTakeFirst()
    },

    /** Returns the removed rule; undefined when the project has no such one. */
    remove(projectId: string, id: string): Promise<AlertRuleRow | undefined> {
      return db
        .deleteFrom('alert_rules')
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },
  }
}

function one(db: Kysely<Tables>, projectId: string, id: string) {
  return db.updateTable('alert_rules').where('project_id', '=', projectId).where('id', '=', id)
}

function checkStatements(db: Kysely<Tables>) {
  return {
    /** Organizations with due rules, by id. */
    async listDueOrganizations(
      { now, latest }: DueRules,
      after: string,
      limit: number,
    ): Promise<readonly string[]> {
      const rows = await db
        .selectFrom('alert_rules')
        .select('organization_id')
        .distinct()
        .where('is_enabled', '=', 1)
        .where((rule) =>
          rule.or([rule('next_check_at', '<=', now), rule('next_check_at', '>', latest)]),
        )
        .where('organization_id', '>', after)
        .orderBy('organization_id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.organization_id)
    },

    /** Schedules the next check of the rule that has been due longest, and returns it; undefined when none is due. */
    claimDue(
      organizationId: string,
      { now, latest }: DueRules,
      nextCheckAt: Timestamp,
    ): Promise<AlertRuleRow | undefined> {
      const first = db
        .selectFrom('alert_rules')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('is_enabled', '=', 1)
        .where((rule) =>
          rule.or([rule('next_check_at', '<=', now), rule('next_check_at', '>', latest)]),
        )
        .orderBy('next_check_at')
        .orderBy('id')
        .limit(1)
      return db
        .updateTable('alert_rules')
        .set({ next_check_at: nextCheckAt })
        .where('organization_id', '=', organizationId)
        .where('id', '=', first)
        .returningAll()
        .executeTakeFirst()
    },

    /** Stores the outcome of a check. False when the rule was changed or removed since it was read. */
    async storeCheck(before: AlertRuleRow, state: Partial<AlertState>): Promise<boolean> {
      const { numUpdatedRows } = await one(db, before.project_id, before.id)
        .set(state)
        .where('updated_at', '=', before.updated_at)
        .where('status', '=', before.status)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
