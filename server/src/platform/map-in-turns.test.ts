import { expect, test } from 'vitest'
import { mapInTurns } from './map-in-turns.ts'

test('returns all results in order, and lets other work run after at most 100 items', async () => {
  let inTurn = 0
  let most = 0
  const newTurn = () => {
    inTurn = 0
    other = setImmediate(newTurn)
  }
  let other = setImmediate(newTurn)
  const items = Array.from({ length: 2001 }, (_, i) => i)
  const results = await mapInTurns(items, (item) => {
    inTurn += 1
    most = Math.max(most, inTurn)
    return -item
  })
  clearImmediate(other)
  expect(results).toEqual(items.map((item) => -item))
  expect(most).toBeLessThanOrEqual(100)
})
