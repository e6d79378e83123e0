import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openTestAccounts } from '../../../test/accounts-database.ts'
import { steppedClock } from '../../../test/clock-at.ts'
import { openTestCounters, type TestCounters } from '../../../test/test-counters.ts'
import type { CounterRule } from '../../platform/counters.ts'
import { Unavailable } from '../../platform/failure.ts'
import { sharedCounters, sharedCountersMax } from './shared-counters.ts'

const start = Date.parse('2026-05-01T08:00:00.000Z')
const clock = steppedClock(start)

let opened: TestCounters
beforeEach(async () => {
  opened = await openTestCounters('PostgreSQL')
})
afterEach(() => opened.remove())

const upTo =
  (max: number): CounterRule =>
  ([count = 0], now) =>
    count < max ? { state: [count + 1], expiresAtMs: now + 1000 } : 5_000

test('concurrent events in several processes are each counted once', async () => {
  const processes = [1, 2, 3].map(() => opened.open(clock)('events'))
  const waits = await Promise.all(
    Array.from({ length: 90 }, async (_, n) => processes[n % 3]?.count('a key', upTo(40))),
  )
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(40)
  expect(waits.filter((waitMs) => waitMs === 5_000)).toHaveLength(50)
})

test('a counter of another name, and one that was removed, start again', async () => {
  const [one, other] = [opened.open(clock)('one'), opened.open(clock)('other')]
  expect(await one.count('a key', upTo(1))).toBe(0)
  expect(await other.has('a key')).toBe(false)
  expect(await other.count('a key', upTo(1))).toBe(0)
  expect(await one.count('a key', upTo(1))).toBe(5_000)
  await one.remove('a key')
  expect(await one.has('a key')).toBe(false)
  expect(await one.count('a key', upTo(1))).toBe(0)
  expect(await other.has('a key')).toBe(true)
})

test('a change in this process counts at once although the key was refused before', async () => {
  const counter = opened.open(clock)('events')
  await counter.count('a key', upTo(1))
  expect(await counter.count('a key', upTo(1))).toBe(5_000)
  await counter.update('a key', () => ({ state: [0], expiresAtMs: start + 1000 }))
  expect(await counter.count('a key', upTo(1))).toBe(0)
})

test('keys are stored as hashes', async () => {
  await opened.open(clock)('events').count('ana@example.org', upTo(1))
  const rows = await opened.query('select * from rate_counters')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('ana')
})

test('rows that have expired are removed once a minute, and those beyond the maximum', async () => {
  const stepped = steppedClock(start)
  const counter = opened.open(stepped)('events')
  const insert = (kind: string, rows: number, seconds: number) =>
    opened.query(
      `insert into rate_counters select '${kind}' || n, 'events', '1', to_char(
         timestamp '2026-05-01 08:00' + make_interval(secs => ${seconds} + n / 1000.0),
         'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from generate_series(1, ${rows}) n`,
    )
  await insert('expired', 100, 1)
  await insert('first', 10, 100)
  await insert('later', sharedCountersMax - 1, 1000)
  await counter.count('one', upTo(1))
  expect(await countRows('expired')).toBe(100)
  stepped.pass(61_000)
  await counter.count('another', () => ({ state: [1], expiresAtMs: start + 9_000_000 }))
  expect([await countRows('expired'), await countRows('first')]).toEqual([0, 0])
  expect(await countRows('')).toBe(sharedCountersMax)
})

async function countRows(prefix: string): Promise<number> {
  const [row] = await opened.query(
    `select count(*)::int as rows from rate_counters where key_hash like '${prefix}%'`,
  )
  return Number(row?.['rows'])
}

test('events happen at the time of the database, whatever the clock of the process', async () => {
  const { accounts, query, remove } = await openTestAccounts('PostgreSQL')
  onTestFinished(remove)
  const readTime = async () => {
    const [row] = await query('select extract(epoch from clock_timestamp()) * 1000 as ms')
    return Number(row?.['ms'])
  }
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  onTestFinished(() => void vi.useRealTimers())
  const before = await readTime()
  const times: number[] = []
  await accounts
    .openCounters(clock)('events')
    .count('a key', (_state, now) => {
      times.push(now)
      return { state: [1], expiresAtMs: now + 1000 }
    })
  const [counted] = times
  expect(counted).toBeGreaterThanOrEqual(Math.floor(before))
  expect(counted).toBeLessThanOrEqual(Math.ceil(await readTime()))
})

test('nothing is allowed while the database does not answer, and who waits fails at once', async () => {
  let reads = 0
  const stopped = new Promise<never>((_, reject) => {
    setImmediate(() => reject(new Unavailable('The accounts database cannot be reached.', 1)))
  })
  const counter = sharedCounters(
    {
      read: () => {
        reads += 1
        return stopped
      },
      replace: async () => true,
      remove: async () => {},
      prune: async () => {},
    },
    clock,
  )('events')
  const counted = Array.from({ length: 20 }, () => counter.count('a key', upTo(100)))
  const outcomes = await Promise.allSettled(counted)
  expect(outcomes.map(({ status }) => status)).toEqual(Array(20).fill('rejected'))
  expect(reads).toBe(1)
})
