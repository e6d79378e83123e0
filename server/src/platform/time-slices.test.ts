import { setImmediate as nextLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTimeSlices } from './time-slices.ts'

/** Pieces that are all there at once. */
async function run(count: number, take: () => Promise<void> | undefined, onPiece: () => void) {
  for (let n = 0; n < count; n += 1) {
    await take()
    onPiece()
  }
}

test('a piece that comes alone does not wait', async () => {
  const turns = openTimeSlices(60_000)
  expect(turns.take(['o', 'a'])).toBeUndefined()
  await nextLoop()
  expect(turns.take(['o', 'a'])).toBeUndefined()
})

test('other work runs between pieces that come at once', async () => {
  const turns = openTimeSlices(0)
  let done = 0
  const seen: number[] = []
  const pieces = run(
    50,
    () => turns.take(['o', 'a']),
    () => (done += 1),
  )
  while (done < 50) {
    await nextLoop()
    seen.push(done)
  }
  await pieces
  expect(new Set(seen).size).toBeGreaterThanOrEqual(49)
})

test('all that fits in the time of a slice runs in one', async () => {
  const turns = openTimeSlices(60_000)
  let done = 0
  const streams = Array.from({ length: 20 }, (_, n) =>
    run(
      50,
      () => turns.take(['o', `user ${n}`]),
      () => (done += 1),
    ),
  )
  await nextLoop()
  expect(done).toBe(1000)
  await Promise.all(streams)
})

test('an owner with many streams delays the pieces of another by few', async () => {
  const turns = openTimeSlices(0)
  const order: string[] = []
  const streams = Array.from({ length: 50 }, () =>
    run(
      20,
      () => turns.take(['busy', 'a']),
      () => order.push('busy'),
    ),
  )
  await nextLoop()
  const quiet = run(
    5,
    () => turns.take(['quiet', 'b']),
    () => order.push('quiet'),
  )
  await Promise.all([...streams, quiet])
  expect(order.lastIndexOf('quiet')).toBeLessThan(60)
})
