import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { DeadlinePassed, openDeadline } from './deadline.ts'

const never = new AbortController().signal

describe('a deadline', () => {
  test('aborts when its time is up, at once if it has passed', async () => {
    const soon = openDeadline(never, Date.now() + 1)
    await once(soon.signal, 'abort')
    expect([soon.isUp(), soon.signal.reason]).toEqual([true, expect.any(DeadlinePassed)])
    expect(openDeadline(never, Date.now()).isUp()).toBe(true)
  })

  test.each([
    ['infinitely', Number.POSITIVE_INFINITY],
    ['in a year', Date.now() + 365 * 86_400_000],
  ])('that ends %s does not abort at once', async (_when, endsAt) => {
    const time = openDeadline(never, endsAt)
    const earlier = openDeadline(never, Date.now() + 5)
    await once(earlier.signal, 'abort')
    await sleep(0)
    expect(time.signal.aborted).toBe(false)
    time.end()
  })
})
