import { afterEach, expect, test } from 'vitest'
import type { DeadlineProcess } from './deadline-process.ts'
import { openLog } from './log.ts'
import { openShortCallsFirst, type ShortCallsFirstOptions } from './short-calls-first.ts'

const module = new URL('../../test/deadline-process-module.ts', import.meta.url)
const { signal } = new AbortController()
const busy = { owner: 'busy', signal }
const quiet = { owner: 'quiet', signal }
const opened: DeadlineProcess<string, string>[] = []

function open(options: Partial<ShortCallsFirstOptions> = {}): DeadlineProcess<string, string> {
  const child = openShortCallsFirst<string, string>({
    ...{ module, name: 'echo process', log: openLog('error', () => {}), maxHeapMb: 64 },
    ...{ deadlineMs: 60_000, idleMs: 60_000, shortMs: 1000, ...options },
  })
  opened.push(child)
  return child
}

afterEach(async () => {
  for (const child of opened.splice(0)) await child.close()
})

test('calls of an owner that do not end leave others waiting for a short time each, not for the deadline', async () => {
  const child = open()
  const ended: string[] = []
  const endless = Array.from({ length: 3 }, () => child.run(busy, 'loop'))
  const outcomes = Promise.allSettled(endless.map((one) => one.catch(() => ended.push('loop'))))
  for (const input of ['one', 'two', 'three']) {
    expect(await child.run(quiet, input)).toBe(input)
  }
  expect(ended).toEqual([])
  await child.close()
  await outcomes
})

test('a call that takes longer is repeated, and so are further ones of its owner until one was short', async () => {
  const child = open()
  expect(await child.run(busy, 'busy 1500')).toBe('busy 1500')
  // The second call in the same process. Those of others are in the first, which has been replaced.
  expect(await child.run(busy, 'count')).toBe('2')
  expect(await child.run(quiet, 'count')).toBe('1')
  await expect.poll(async () => Number(await child.run(busy, 'count')), { interval: 0 }).toBe(2)
})

test('a call that needs more memory than in the first process is repeated', async () => {
  const child = open({ shortMs: 60_000, shortHeapMb: 32, maxHeapMb: 512 })
  expect(await child.run(busy, 'hold 150 MB')).toBe('150')
})

test('a call that takes too long in both is lost', async () => {
  const child = open({ shortMs: 100, deadlineMs: 200 })
  await expect(child.run(busy, 'loop')).rejects.toMatchObject({ because: 'too late' })
})

test('a call that its caller ends is not repeated', async () => {
  const child = open()
  const call = child.run(busy, 'loop', { endsAt: Date.now() + 50 })
  await expect(call).rejects.toMatchObject({ because: 'too late' })
  expect(await child.run(busy, 'count')).toBe('1')
})
