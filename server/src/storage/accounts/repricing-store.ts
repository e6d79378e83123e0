import type { Kysely } from 'kysely'
import type { RepricingRow, Tables, Timestamp } from './tables.ts'

type Progress = Pick<RepricingRow, 'position' | 'figures' | 'held_until'>
type End = Pick<RepricingRow, 'state' | 'problem' | 'finished_at'>

export function repricingStore(db: Kysely<Tables>) {
  const running = (id: string, worker: string) =>
    db
      .updateTable('repricings')
      .where('id', '=', id)
      .where('state', '=', 'running')
      .where('worker', '=', worker)

  return {
    /** Newest first. */
    ofProject(projectId: string, limit: number): Promise<RepricingRow[]> {
      return db
        .selectFrom('repricings')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    find(projectId: string, id: string): Promise<RepricingRow | undefined> {
      return db
        .selectFrom('repricings')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .executeTakeFirst()
    },

    /** False when one of the project is running. */
    async insert(repricing: RepricingRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('repricings')
        .values(repricing)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    /** Makes one that nobody is at this worker's; undefined where there is none. */
    acquireLease: (worker: string, now: Timestamp, leaseExpiresAt: Timestamp) =>
      acquireLease(db, worker, now, leaseExpiresAt),

    /** False when it is not running any more, or another worker is at it. */
    async advance(id: string, worker: string, progress: Progress): Promise<boolean> {
      const { numUpdatedRows } = await running(id, worker).set(progress).executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async end(id: string, worker: string, end: End): Promise<void> {
      await running(id, worker).set(end).execute()
    },

    /** As it is then; undefined when the project has none of that id that is running. */
    cancel(projectId: string, id: string, at: Timestamp): Promise<RepricingRow | undefined> {
      return db
        .updateTable('repricings')
        .set({ state: 'cancelled', finished_at: at })
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .where('state', '=', 'running')
        .returningAll()
        .executeTakeFirst()
    },
  }
}

async function acquireLease(
  db: Kysely<Tables>,
  worker: string,
  now: Timestamp,
  leaseExpiresAt: Timestamp,
): Promise<RepricingRow | undefined> {
  const free = await db
    .selectFrom('repricings')
    .select('id')
    .where('state', '=', 'running')
    .where('held_until', '<=', now)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  if (free === undefined) return undefined
  return await db
    .updateTable('repricings')
    .set({ worker, held_until: leaseExpiresAt })
    .where('id', '=', free.id)
    .where('state', '=', 'running')
    // Once more: another process may have been faster.
    .where('held_until', '<=', now)
    .returningAll()
    .executeTakeFirst()
}
