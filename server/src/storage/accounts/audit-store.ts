import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '@assay/contract/audit.ts'
import type { Kysely } from 'kysely'
import type { AuditRow } from './audit-tables.ts'
import type { Timestamp } from './column-types.ts'
import type { Tables } from './tables.ts'

export interface AuditQuery {
  readonly limit: number
  /** The id of an event: only older ones. */
  readonly before?: string | undefined
  readonly action?: AuditAction | undefined
  /** The id of the user who did it. */
  readonly actor?: string | undefined
  /** With events at this time or later. */
  readonly from?: Timestamp | undefined
  /** Before this time. */
  readonly to?: Timestamp | undefined
}

/** Events of one actor and action that may be counted together. */
export interface AuditRepeat {
  readonly key: string
  /** The entries that events may have with this key, each their own; and as many that count further events. */
  readonly entriesMax: number
  /** Further events with the same one are counted in one entry. */
  readonly countedKey: string
  /** When neither key is used any more. */
  readonly expiresAt: Timestamp
}

/**
 * Events can be added and read. No statement removes one, and only the entries that count repeated events are
 * changed.
 */
export function auditStore(db: Kysely<Tables>) {
  return {
    async append(line: AuditRow): Promise<void> {
      await db.insertInto('audit_log').values(line).execute()
    },

    /** Adds an entry or counts the event in an existing one. Repeated events add a limited number of entries. */
    async appendRepeated(line: AuditRow, repeat: AuditRepeat): Promise<void> {
      if (db.isTransaction) await appendOrCount(line, repeat, db)
      else await db.transaction().execute((transaction) => appendOrCount(line, repeat, transaction))
    },

    /** Newest first; with null, events without an organization. */
    list(organizationId: string | null, query: AuditQuery): Promise<AuditRow[]> {
      const { limit, before, action, actor, from, to } = query
      let lines = db.selectFrom('audit_log').selectAll()
      lines =
        organizationId === null
          ? lines.where('organization_id', 'is', null)
          : lines.where('organization_id', '=', organizationId)
      if (before !== undefined) lines = lines.where('id', '<', before)
      if (action !== undefined) lines = lines.where('action', '=', action)
      if (actor !== undefined) lines = lines.where('actor_id', '=', actor)
      if (from !== undefined) {
        lines = lines.where((is) => is.or([is('at', '>=', from), is('last_at', '>=', from)]))
      }
      if (to !== undefined) lines = lines.where('at', '<', to)
      return lines.orderBy('id', 'desc').limit(limit).execute()
    },
  }
}

async function appendOrCount(
  line: AuditRow,
  { key, entriesMax, countedKey, expiresAt }: AuditRepeat,
  db: Kysely<Tables>,
): Promise<void> {
  // Also locks the row, so that concurrent events are counted one after the other.
  const { entries } = await db
    .insertInto('audit_repeats')
    .values({ key, entries: 0, line_id: null, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ expires_at: expiresAt }))
    .returning('entries')
    .executeTakeFirstOrThrow()
  if (entries >= entriesMax) {
    const isFull = entries >= 2 * entriesMax
    const counts =
      (await findCounting(countedKey, db)) ??
      (isFull ? await findCounting(restOf(key), db) : undefined)
    if (counts !== undefined) return await addToCount(counts, line, db)
    const counted = isFull ? restOf(key) : countedKey
    await db
      .insertInto('audit_repeats')
      .values({ key: counted, entries: 1, line_id: line.id, expires_at: expiresAt })
      .execute()
  }
  await db.insertInto('audit_log').values(line).execute()
  await db
    .updateTable('audit_repeats')
    .set({ entries: entries + 1 })
    .where('key', '=', key)
    .execute()
}

/** Of events that differ too much for a limited number of entries. */
const restOf = (key: string) => `${key} rest`

function findCounting(key: string, db: Kysely<Tables>): Promise<AuditRow | undefined> {
  return db
    .selectFrom('audit_log')
    .selectAll()
    .where('id', '=', (repeats) =>
      repeats.selectFrom('audit_repeats').select('line_id').where('key', '=', key),
    )
    .executeTakeFirst()
}

/** The entry keeps the values that all of its events have. */
async function addToCount(counts: AuditRow, line: AuditRow, db: Kysely<Tables>): Promise<void> {
  const ifSame = <T>(one: T, other: T) => (isDeepStrictEqual(one, other) ? one : null)
  const details = JSON.parse(line.details) as Readonly<Record<string, unknown>>
  const before = Object.entries(JSON.parse(counts.details) as typeof details)
  const common = before.map(([name, value]) => [name, ifSame(value, details[name])])
  await db
    .updateTable('audit_log')
    .set({
      event_count: counts.event_count + line.event_count,
      last_at: line.at,
      target_id: ifSame(counts.target_id, line.target_id),
      client_address: ifSame(counts.client_address, line.client_address),
      user_agent: ifSame(counts.user_agent, line.user_agent),
      request_id: ifSame(counts.request_id, line.request_id),
      details: JSON.stringify(Object.fromEntries(common)),
    })
    .where('id', '=', counts.id)
    .execute()
}
