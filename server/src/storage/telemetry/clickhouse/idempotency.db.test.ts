import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../../test/accounts-database.ts'
import { steppedClock } from '../../../../test/clock-at.ts'
import { eventually } from '../../../../test/eventually.ts'
import { type Clock, systemClock } from '../../../platform/clock.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { type IdempotencyRecords, openIdempotency } from './idempotency.ts'

describe.each(engines)('batches with one idempotency key, with records in %s', (engine) => {
  let accounts: TestAccounts
  beforeAll(async () => {
    accounts = await openTestAccounts(engine)
  })
  afterAll(() => accounts.remove())

  const stored = {
    traces: [{ traceId: 'trace', spanCount: 1, status: 'OK' as const }],
    refusedSpans: 0,
  }
  const idempotency = (key: string) => ({ key, note: 'OK' })
  /** A process, and how many statements it has sent. */
  const openProcess = (clock: Clock = systemClock, renewEveryMs?: number) => {
    const counted = { claims: 0, reads: 0, renewals: 0 }
    const { idempotencyRecords: records } = accounts.accounts
    const counting: IdempotencyRecords = {
      ...records,
      claim(...args) {
        counted.claims += 1
        return records.claim(...args)
      },
      find(...args) {
        counted.reads += 1
        return records.find(...args)
      },
      async renew(...args) {
        await records.renew(...args)
        counted.renewals += 1
      },
    }
    return { counted, recordOnce: openIdempotency(counting, clock, renewEveryMs) }
  }

  test('one uses the database, and the others of the process wait for it', async () => {
    const { counted, recordOnce } = openProcess()
    const storing = Promise.withResolvers<typeof stored>()
    const started = Promise.withResolvers<void>()
    const results = Array.from({ length: 200 }, () =>
      recordOnce('project', idempotency('same'), () => {
        started.resolve()
        return storing.promise
      }),
    )
    await started.promise
    storing.resolve(stored)
    const recorded = await Promise.all(results)
    expect(recorded.filter(({ repeated }) => !repeated)).toHaveLength(1)
    for (const each of recorded) expect(each).toMatchObject({ ...stored, note: 'OK' })
    expect(counted).toEqual({ claims: 1, reads: 0, renewals: 0 })
  })

  test('when one fails or is refused, the next one is stored', async () => {
    const { recordOnce } = openProcess()
    const outcomes = [
      () => Promise.reject(new Error('the first fails')),
      () => Promise.resolve({ traces: [], refusedSpans: 1 }),
      () => Promise.resolve(stored),
    ]
    const next = () => outcomes.shift()!()
    const results = Array.from({ length: 4 }, () =>
      recordOnce('project', idempotency('failing'), next),
    )
    const [failed, refused, third, fourth] = await Promise.allSettled(results)
    expect(failed).toMatchObject({ reason: { message: 'the first fails' } })
    expect(refused).toMatchObject({ value: { refusedSpans: 1, repeated: false } })
    expect(third).toMatchObject({ value: { ...stored, repeated: false } })
    expect(fourth).toMatchObject({ value: { ...stored, repeated: true } })
    expect(outcomes).toEqual([])
  })

  test('keys of other projects do not wait, and of two processes one stores', async () => {
    const processes = [openProcess(), openProcess()]
    const storing = Promise.withResolvers<typeof stored>()
    const started = Promise.withResolvers<void>()
    let count = 0
    const record = () => {
      count += 1
      started.resolve()
      return storing.promise
    }
    const results = processes.map(({ recordOnce }) =>
      recordOnce('project', idempotency('shared'), record),
    )
    await started.promise
    const other = await processes[0]!.recordOnce('other', idempotency('shared'), async () => stored)
    expect(other.repeated).toBe(false)
    storing.resolve(stored)
    const recorded = await Promise.all(results)
    expect(recorded.filter(({ repeated }) => !repeated)).toHaveLength(1)
    expect(count).toBe(1)
  })

  /** Longer than a lease. */
  const laterMs = 61_000

  test.each([
    { lost: 'claim', isExecuted: true },
    { lost: 'claim', isExecuted: false },
    { lost: 'complete', isExecuted: true },
    { lost: 'complete', isExecuted: false },
  ] as const)(
    'the next one is stored at once after an outage of the accounts database, in which $lost failed (executed: $isExecuted)',
    async ({ lost, isExecuted }) => {
      const { idempotencyRecords: records } = accounts.accounts
      let isOut = true
      const failing: IdempotencyRecords = {
        ...records,
        async [lost](...args: never[]) {
          if (!isOut || isExecuted) await (records[lost] as (...all: never[]) => unknown)(...args)
          if (isOut) throw new Unavailable('The accounts database is down.', 1)
          return true
        },
        async release(claim) {
          if (isOut) throw new Unavailable('The accounts database is down.', 1)
          await records.release(claim)
        },
      }
      const key = idempotency(`lost ${lost} ${isExecuted}`)
      const record = async () => stored
      const first = openIdempotency(failing, systemClock)('project', key, record)
      await expect(first).rejects.toThrow(Unavailable)
      isOut = false
      const { recordOnce } = openProcess()
      const again = await eventually(() => recordOnce('project', key, record))
      expect(again).toMatchObject({ ...stored, note: 'OK' })
      expect(await recordOnce('project', key, record)).toMatchObject({ ...stored, repeated: true })
    },
  )

  test('one that waits longer than its lease to be stored keeps the key', async () => {
    const clock = steppedClock(Date.now())
    const [slow, other] = [openProcess(clock, 5), openProcess(clock)]
    const storing = Promise.withResolvers<typeof stored>()
    const started = Promise.withResolvers<void>()
    const first = slow.recordOnce('project', idempotency('long'), () => {
      started.resolve()
      return storing.promise
    })
    await started.promise
    clock.pass(laterMs)
    // The one before may have read the time before.
    const before = slow.counted.renewals
    await eventually(() => expect(slow.counted.renewals).toBeGreaterThan(before + 1))
    const second = other.recordOnce('project', idempotency('long'), async () => stored)
    await eventually(() => expect(other.counted.reads).toBeGreaterThan(0))
    storing.resolve(stored)
    expect((await first).repeated).toBe(false)
    expect((await second).repeated).toBe(true)
  })

  test('one that has lost its key to another is refused, and gets its outcome when repeated', async () => {
    const clock = steppedClock(Date.now())
    const [paused, other] = [openProcess(clock), openProcess(clock)]
    const storing = Promise.withResolvers<typeof stored>()
    const started = Promise.withResolvers<void>()
    const first = paused.recordOnce('project', idempotency('lost'), () => {
      started.resolve()
      return storing.promise
    })
    await started.promise
    clock.pass(laterMs)
    const later = { ...stored, refusedSpans: 7 }
    expect(
      (await other.recordOnce('project', idempotency('lost'), async () => later)).repeated,
    ).toBe(false)
    storing.resolve(stored)
    await expect(first).rejects.toThrow(Unavailable)
    const again = await paused.recordOnce('project', idempotency('lost'), async () => stored)
    expect(again).toMatchObject({ ...later, repeated: true })
  })

  test('one that waits too long for another is refused with a time to try again', async () => {
    const { recordOnce } = openProcess()
    const storing = Promise.withResolvers<typeof stored>()
    const first = recordOnce('project', idempotency('slow'), () => storing.promise)
    const second = recordOnce('project', idempotency('slow'), async () => stored)
    await expect(second).rejects.toThrow(Unavailable)
    storing.resolve(stored)
    expect((await first).repeated).toBe(false)
  }, 15_000)
})
