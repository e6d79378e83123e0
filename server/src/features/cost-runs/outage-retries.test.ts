import { expect, test } from 'vitest'
import { steppedClock } from '../../../test/clock-at.ts'
import { Unavailable } from '../../platform/failure.ts'
import { openRetries, outageAtStartMs, waitBriefly } from './outage-retries.ts'

/** Work that fails at first, each time after a while. */
function open(stopping: AbortSignal = new AbortController().signal, outageMs?: number) {
  const clock = steppedClock(0)
  const retry = openRetries({ clock, stopping }, outageMs)
  return {
    async run({ failures, seconds }: { readonly failures: number; readonly seconds: number }) {
      let attempts = 0
      const work = async () => {
        clock.pass(seconds * 1000)
        attempts += 1
        if (attempts <= failures) throw new Unavailable('away', 1)
      }
      const outcome = await retry(work).then(
        () => 'stored',
        () => 'failed',
      )
      return [outcome, attempts]
    },
    retry,
  }
}

test('an outage of less than 20 seconds is waited for, each time', async () => {
  const { run } = open()
  expect(await run({ failures: 2, seconds: 7 })).toEqual(['stored', 3])
  expect(await run({ failures: 2, seconds: 7 })).toEqual(['stored', 3])
})

test('an outage that lasts is given up after 20 seconds, once for all', async () => {
  const { run } = open()
  expect(await run({ failures: Infinity, seconds: 7 })).toEqual(['failed', 4])
  expect(await run({ failures: Infinity, seconds: 1 })).toEqual(['failed', 1])
  expect(await run({ failures: 0, seconds: 1 })).toEqual(['stored', 1])
  expect(await run({ failures: 1, seconds: 1 })).toEqual(['stored', 2])
})

test('an outage when nothing has been paid for yet is given up after three seconds', async () => {
  const { run } = open(undefined, outageAtStartMs)
  expect(await run({ failures: 2, seconds: 1 })).toEqual(['stored', 3])
  expect(await run({ failures: Infinity, seconds: 1 })).toEqual(['failed', 4])
})

test('a service that stops waits for four seconds, once for all', async () => {
  const { run } = open(AbortSignal.abort())
  expect(await run({ failures: Infinity, seconds: 2 })).toEqual(['failed', 3])
  expect(await run({ failures: Infinity, seconds: 1 })).toEqual(['failed', 1])
})

test('what fails for another reason is not repeated', async () => {
  let attempts = 0
  const failing = open().retry(async () => {
    attempts += 1
    throw new Error('not writable')
  })
  await expect(failing).rejects.toThrow('not writable')
  expect(attempts).toBe(1)
})

test('a clean-up is waited for, but not longer than a few seconds, and its failure is not that of the request', async () => {
  const events: string[] = []
  await waitBriefly(Promise.resolve().then(() => events.push('ended')))
  expect(events).toEqual(['ended'])
  await expect(waitBriefly(Promise.reject(new Error('not writable')))).resolves.toBeUndefined()
  await expect(waitBriefly(Promise.withResolvers().promise)).resolves.toBeUndefined()
})
