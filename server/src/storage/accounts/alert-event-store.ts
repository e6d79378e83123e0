import type { Kysely } from 'kysely'
import type { AlertDeliveryRow, AlertEventRow } from './alert-tables.ts'
import type { Tables } from './tables.ts'

/** A delivery with the event that it is about. */
export interface DueDelivery {
  readonly delivery: AlertDeliveryRow
  readonly event: AlertEventRow
}

type DeliveryChange = Pick<AlertDeliveryRow, 'status' | 'attempts' | 'problem' | 'updated_at'>

export function alertEventStore(db: Kysely<Tables>) {
  return {
    async insert(event: AlertEventRow, deliveries: readonly AlertDeliveryRow[]): Promise<void> {
      await db.insertInto('alert_events').values(event).execute()
      if (deliveries.length > 0) {
        await db.insertInto('alert_deliveries').values(deliveries).execute()
      }
    },

    /** Newest first. */
    list(projectId: string, ruleId: string, limit: number): Promise<AlertEventRow[]> {
      return db
        .selectFrom('alert_events')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('rule_id', '=', ruleId)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    /** The newest event with a message. */
    findNotified(projectId: string, ruleId: string): Promise<AlertEventRow | undefined> {
      return db
        .selectFrom('alert_events')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('rule_id', '=', ruleId)
        .where('message', 'is not', null)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
    },

    /** Of these events, mail before the webhook. */
    async listDeliveries(
      projectId: string,
      eventIds: readonly string[],
    ): Promise<AlertDeliveryRow[]> {
      if (eventIds.length === 0) return []
      return await db
        .selectFrom('alert_deliveries')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('event_id', 'in', eventIds)
        .orderBy('channel')
        .orderBy('recipient')
        .execute()
    },

    /** Removes all events of the rule but the newest `keep`. */
    async prune(projectId: string, ruleId: string, keep: number): Promise<void> {
      const old = db
        .selectFrom('alert_events')
        .select('id')
        .where('project_id', '=', projectId)
        .where('rule_id', '=', ruleId)
        .orderBy('id', 'desc')
        .offset(keep)
        .limit(keep)
      await db
        .deleteFrom('alert_events')
        .where('project_id', '=', projectId)
        .where('id', 'in', old)
        .execute()
    },

    /** Undefined when the rule is gone. */
    findDelivery: (projectId: string, id: string) => findDelivery(db, projectId, id),

    async updateDelivery(projectId: string, id: string, change: DeliveryChange): Promise<void> {
      await db
        .updateTable('alert_deliveries')
        .set(change)
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .execute()
    },
  }
}

async function findDelivery(
  db: Kysely<Tables>,
  projectId: string,
  id: string,
): Promise<DueDelivery | undefined> {
  const delivery = await db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  const event = await db
    .selectFrom('alert_events')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', delivery?.event_id ?? '')
    .executeTakeFirst()
  return delivery === undefined || event === undefined ? undefined : { delivery, event }
}
