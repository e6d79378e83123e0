import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { steppedClock } from '../../../test/clock-at.ts'
import { openLog } from '../../platform/log.ts'
import { keepLease, type RunLeasePorts } from './run-lease.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Checks = RunLeasePorts['accounts']['costRuns']

/** As in an outage: a connection may be refused, or get no response. */
const outages: readonly (readonly [how: string, check: () => Promise<boolean>])[] = [
  ['fail', () => Promise.reject(new Error('away'))],
  ['hang', () => new Promise(() => {})],
]
const succeeds = () => Promise.resolve(true)

function keep() {
  const clock = steppedClock(0)
  let check: () => Promise<boolean> = succeeds
  const ends: string[] = []
  let checks = 0
  const costRuns: Checks = {
    extend(_lease, until) {
      ends.push(until)
      checks += 1
      return check()
    },
    mayContinue() {
      checks += 1
      return check()
    },
  }
  const databaseClock = { now: async () => new Date(Date.UTC(2026)).toISOString() }
  const lease = keepLease(
    { projectId: 'p', runId: 'r', executionId: 'e' },
    {
      accounts: { costRuns, clock: databaseClock },
      ...{ clock, log: openLog('error', () => {}) },
    },
  )
  return {
    ...{ lease, ends },
    countChecks: () => checks,
    checkWith(changed: typeof check) {
      check = changed
    },
    /** Checks are due every second. */
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        clock.pass(1000)
        await vi.advanceTimersByTimeAsync(1000)
      }
    },
    async pause(seconds: number) {
      clock.pass(seconds * 1000)
      await vi.advanceTimersByTimeAsync(1000)
    },
  }
}

test('a lease is extended at once and then every ten seconds, by the time of the database', async () => {
  const { lease, ends, pass } = keep()
  await pass(60)
  expect(ends).toEqual(Array(6).fill('2026-01-01T00:00:30.000Z'))
  expect(lease.signal.aborted).toBe(false)
  lease.end()
  await pass(60)
  expect(ends).toHaveLength(6)
})

test.each(outages)(
  'a lease is given up 20 seconds after it was extended, if checks %s',
  async (_how, check) => {
    const { lease, checkWith, pass } = keep()
    await pass(1)
    checkWith(check)
    await pass(19)
    expect(lease.signal.aborted).toBe(false)
    await pass(1)
    expect([lease.signal.aborted, lease.isCanceled()]).toEqual([true, false])
    lease.end()
  },
)

test('a lease is given up after a pause of the process, whatever a check would find', async () => {
  const { lease, pass, pause } = keep()
  await pass(1)
  await pause(20)
  expect([lease.signal.aborted, lease.isCanceled()]).toEqual([true, false])
  lease.end()
})

test('a lease is not checked while a check is under way', async () => {
  const { lease, checkWith, countChecks, pass } = keep()
  await pass(1)
  let respond: (continues: boolean) => void = () => {}
  checkWith(
    () =>
      new Promise((resolve) => {
        respond = resolve
      }),
  )
  await pass(5)
  expect(countChecks()).toBe(2)
  checkWith(succeeds)
  respond(true)
  await pass(5)
  expect(countChecks()).toBe(7)
  lease.end()
})

test('a lease ends within a second when somebody cancels', async () => {
  const { lease, checkWith, pass } = keep()
  await pass(5)
  checkWith(() => Promise.resolve(false))
  await pass(1)
  expect([lease.signal.aborted, lease.isCanceled()]).toEqual([true, true])
  lease.end()
})
