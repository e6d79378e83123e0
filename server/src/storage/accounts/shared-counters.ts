import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type {
  Counted,
  Counter,
  CounterRule,
  CounterState,
  Counters,
} from '../../platform/counters.ts'
import { Unavailable } from '../../platform/failure.ts'
import { setNewest } from '../../platform/recent-entries.ts'
import type { Tables } from './tables.ts'

/*
 * Counters of the processes on one PostgreSQL database, whose clock they use. An event reads the state and replaces it
 * if it is still the same. Without an answer of the database, nothing is allowed.
 */

/** What counters need of the database; the methods are statements on table `rate_counters`. */
export interface CounterTable {
  /** The state, empty without a row, and the time of the database. */
  read(keyHash: string): Promise<{ readonly state: CounterState; readonly nowMs: number }>
  /** False when the state is no longer `expected`. */
  replace(row: CounterKey, expected: CounterState, next: Counted): Promise<boolean>
  remove(keyHash: string): Promise<void>
  /** Removes expired rows of the name, and those that expire first beyond the newest `max`. */
  prune(name: string, nowMs: number, max: number): Promise<void>
}

interface CounterKey {
  readonly keyHash: string
  readonly name: string
}

/** Rows of one name. An attacker with many networks or addresses can create them. */
export const sharedCountersMax = 100_000
const prunedEveryMs = 60_000

/** Each failure means that another process, or a removal, has changed the row meanwhile. */
const triesMax = 50

/** Of a name: keys that are over their limit, which are refused without a statement. */
const refusedMax = 10_000

export function sharedCounters(table: CounterTable, clock: Pick<Clock, 'monotonicMs'>): Counters {
  const counters = new Map<string, Counter>()
  return (name) => {
    const counter = counters.get(name) ?? sharedCounter(name, table, clock)
    counters.set(name, counter)
    return counter
  }
}

function sharedCounter(
  name: string,
  table: CounterTable,
  clock: Pick<Clock, 'monotonicMs'>,
): Counter {
  const refusedUntil = new Map<string, number>()
  const inTurn = turnsByKey()
  let nextPruning = clock.monotonicMs() + prunedEveryMs
  const prune = async (nowMs: number) => {
    if (clock.monotonicMs() < nextPruning) return
    nextPruning = clock.monotonicMs() + prunedEveryMs
    await table.prune(name, nowMs, sharedCountersMax)
  }
  const apply = async (key: string, rule: CounterRule): Promise<number> => {
    const keyHash = toKeyHash(name, key)
    for (let tries = 0; tries < triesMax; tries += 1) {
      const { state, nowMs } = await table.read(keyHash)
      const next = rule(state, nowMs)
      if (typeof next === 'number') return next
      if (await table.replace({ keyHash, name }, state, next)) {
        await prune(nowMs)
        return next.waitMs ?? 0
      }
    }
    throw new Unavailable('Too many processes count the same requests.', 1)
  }
  return {
    count: (key, rule) =>
      inTurn(key, async () => {
        const knownWaitMs = (refusedUntil.get(key) ?? 0) - clock.monotonicMs()
        if (knownWaitMs > 0) return knownWaitMs
        const waitMs = await apply(key, rule)
        if (waitMs > 0) setNewest(refusedUntil, key, clock.monotonicMs() + waitMs, refusedMax)
        return waitMs
      }),
    update: (key, change) =>
      inTurn(key, async () => {
        refusedUntil.delete(key)
        await apply(key, (state, nowMs) => change(state, nowMs) ?? 0)
      }),
    has: async (key) => (await table.read(toKeyHash(name, key))).state.length > 0,
    async remove(key) {
      refusedUntil.delete(key)
      await table.remove(toKeyHash(name, key))
    },
  }
}

/** Keys can be e-mail addresses and networks, which the database need not have. */
function toKeyHash(name: string, key: string): string {
  return hash('sha256', `${name} ${key}`, 'base64url')
}

/**
 * Events of one key in one process follow each other: they would only cause each other to try again, and each would
 * hold a connection. When one fails, those that wait fail with it instead of waiting for the same time-out again.
 */
function turnsByKey() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key)
    const mine = before === undefined ? work() : before.then(work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}

export function counterTable(db: Kysely<Tables>): CounterTable {
  return {
    async read(keyHash) {
      const { rows } = await sql<{ readonly state: string | null; readonly now: number }>`
        select (select state from rate_counters where key_hash = ${keyHash}) as state,
          (extract(epoch from clock_timestamp()) * 1000)::double precision as now`.execute(db)
      const [row] = rows
      if (row === undefined) throw new Error('the database did not return its time')
      return { state: row.state === null ? [] : row.state.split(' ').map(Number), nowMs: row.now }
    },

    async replace({ keyHash, name }, expected, { state, expiresAtMs }) {
      const next = { state: state.join(' '), expires_at: new Date(expiresAtMs).toISOString() }
      if (expected.length === 0) {
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('rate_counters')
          .values({ key_hash: keyHash, name, ...next })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow()
        return numInsertedOrUpdatedRows === 1n
      }
      const { numUpdatedRows } = await db
        .updateTable('rate_counters')
        .set(next)
        .where('key_hash', '=', keyHash)
        .where('state', '=', expected.join(' '))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async remove(keyHash) {
      await db.deleteFrom('rate_counters').where('key_hash', '=', keyHash).execute()
    },

    async prune(name, nowMs, max) {
      const now = new Date(nowMs).toISOString()
      // Rows that another process counts or removes at the moment are left to the next time, against deadlocks.
      await sql`
        delete from rate_counters where key_hash in (
          select key_hash from rate_counters where name = ${name} and expires_at <= ${now}
          for update skip locked)`.execute(db)
      await sql`
        delete from rate_counters where key_hash in (
          select key_hash from rate_counters where name = ${name}
          order by expires_at desc offset ${max} for update skip locked)`.execute(db)
    },
  }
}
