import type { Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { IdempotencyRecordRow } from './idempotency-tables.ts'
import type { Tables } from './tables.ts'

/*
 * Idempotency keys of batches that an engine without transactions stores: claimed before the batch, completed with its
 * outcome after it (docs/adr/0020-idempotency-keys-claimed-around-the-spans.md).
 */

/** A claim belongs to whoever made it until its lease ends. */
export type IdempotencyClaim = Pick<IdempotencyRecordRow, 'project_id' | 'key' | 'claim_id'>

export function idempotencyRecordStore(db: Kysely<Tables>) {
  return {
    ...claims(db),
    ...removals(db),

    find(projectId: string, key: string): Promise<IdempotencyRecordRow | undefined> {
      return db
        .selectFrom('idempotency_records')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('key', '=', key)
        .executeTakeFirst()
    },
  }
}

/** Each is of one batch with a key. */
function claims(db: Kysely<Tables>) {
  return {
    /**
     * Claims the key, unless another batch has completed it, or claimed it and its lease has not ended. False when the
     * key is taken.
     */
    async claim(row: IdempotencyRecordRow, now: Timestamp): Promise<boolean> {
      const { claim_id, leased_until, created_at } = row
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('idempotency_records')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['project_id', 'key'])
            .doUpdateSet({ claim_id, leased_until, created_at })
            .where('idempotency_records.outcome', 'is', null)
            .where('idempotency_records.leased_until', '<=', now),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    /** Extends the lease of a claim, unless another batch has claimed the key or it is completed. */
    async renew(
      { project_id, key, claim_id }: IdempotencyClaim,
      leasedUntil: Timestamp,
    ): Promise<void> {
      await db
        .updateTable('idempotency_records')
        .set({ leased_until: leasedUntil })
        .where('project_id', '=', project_id)
        .where('key', '=', key)
        .where('claim_id', '=', claim_id)
        .where('outcome', 'is', null)
        .execute()
    },

    /** False when the lease ended and another batch has claimed the key since. */
    async complete({ project_id, key, claim_id }: IdempotencyClaim, outcome: string) {
      const { numUpdatedRows } = await db
        .updateTable('idempotency_records')
        .set({ outcome })
        .where('project_id', '=', project_id)
        .where('key', '=', key)
        .where('claim_id', '=', claim_id)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Lets the next batch with the key be stored. */
    async release({ project_id, key, claim_id }: IdempotencyClaim): Promise<void> {
      await db
        .deleteFrom('idempotency_records')
        .where('project_id', '=', project_id)
        .where('key', '=', key)
        .where('claim_id', '=', claim_id)
        .where('outcome', 'is', null)
        .execute()
    },
  }
}

function removals(db: Kysely<Tables>) {
  return {
    /** Removes some records from before an instant, of all projects; true where there may be more. */
    async removeOld(before: Timestamp, limit: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('idempotency_records')
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('project_id', 'key'),
            'in',
            selectFrom('idempotency_records')
              .select(['project_id', 'key'])
              .where('created_at', '<', before)
              .orderBy('created_at')
              .limit(limit)
              .$asTuple('project_id', 'key'),
          ),
        )
        // One that has been claimed again meanwhile is newer.
        .where('created_at', '<', before)
        .executeTakeFirstOrThrow()
      return numDeletedRows === BigInt(limit)
    },

    /** Removes those of a project. */
    async removeOfProject(projectId: string): Promise<void> {
      await db.deleteFrom('idempotency_records').where('project_id', '=', projectId).execute()
    },
  }
}
