import { expect, test } from 'vitest'
import { mapAtOnce } from './map-at-once.ts'

test('results keep the order of the items, and only so many run at once', async () => {
  let running = 0
  let most = 0
  const waits = [3, 1, 2, 0, 1]
  const results = await mapAtOnce(waits, 2, async (turns, index) => {
    running += 1
    most = Math.max(most, running)
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    running -= 1
    return index * 10
  })
  expect(results).toEqual([0, 10, 20, 30, 40])
  expect(most).toBe(2)
})

test('a failure rejects', async () => {
  const failing = mapAtOnce([1, 2], 2, (item) => Promise.reject(new Error(String(item))))
  await expect(failing).rejects.toThrow('1')
})
