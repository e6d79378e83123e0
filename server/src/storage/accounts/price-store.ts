import type { Kysely } from 'kysely'
import type { PriceRuleRow } from './model-tables.ts'
import type { Tables } from './tables.ts'
import { isUniqueConflict } from './unique-conflict.ts'

/** The owner of rules: a project, or with null an organization for all its projects. */
export interface PriceScope {
  readonly organizationId: string
  readonly projectId: string | null
}

export function priceStore(db: Kysely<Tables>) {
  const within = ({ organizationId, projectId }: PriceScope) =>
    db
      .selectFrom('price_rules')
      .where('organization_id', '=', organizationId)
      .where('project_id', projectId === null ? 'is' : '=', projectId)

  return {
    /** In no particular order: the engines sort text differently. */
    list(scope: PriceScope): Promise<PriceRuleRow[]> {
      return within(scope).selectAll().execute()
    },

    /** Those of the project and those of its organization, in no particular order. */
    listEffective(projectId: string): Promise<PriceRuleRow[]> {
      return db
        .selectFrom('price_rules')
        .innerJoin('projects', 'projects.organization_id', 'price_rules.organization_id')
        .selectAll('price_rules')
        .where('projects.id', '=', projectId)
        .where((row) =>
          row.or([
            row('price_rules.project_id', 'is', null),
            row('price_rules.project_id', '=', projectId),
          ]),
        )
        .execute()
    },

    find(scope: PriceScope, id: string): Promise<PriceRuleRow | undefined> {
      return within(scope).selectAll().where('id', '=', id).executeTakeFirst()
    },

    async count(scope: PriceScope): Promise<number> {
      const row = await within(scope)
        .select((rule) => rule.fn.countAll<number | string>().as('rules'))
        .executeTakeFirstOrThrow()
      return Number(row.rules)
    },

    /** False when a rule with that identity exists. */
    async insert(rule: PriceRuleRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('price_rules')
        .values(rule)
        .onConflict((conflict) => conflict.column('identity').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    /**
     * False when another rule has that identity, or there is no such rule. A transaction must then be rolled
     * back.
     */
    update: (rule: PriceRuleRow) => update(db, rule),

    /** Returns the removed rule; undefined when there is none. */
    remove(
      { organizationId, projectId }: PriceScope,
      id: string,
    ): Promise<PriceRuleRow | undefined> {
      return db
        .deleteFrom('price_rules')
        .where('organization_id', '=', organizationId)
        .where('project_id', projectId === null ? 'is' : '=', projectId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },
  }
}

async function update(db: Kysely<Tables>, { id, ...change }: PriceRuleRow): Promise<boolean> {
  try {
    const { numUpdatedRows } = await db
      .updateTable('price_rules')
      .set(change)
      .where('id', '=', id)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  } catch (error) {
    if (isUniqueConflict(error)) return false
    throw error
  }
}
