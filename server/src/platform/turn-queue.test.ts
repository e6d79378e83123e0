import { expect, test } from 'vitest'
import { createTurnQueue } from './turn-queue.ts'

test('owners take turns, each in the order of arrival', () => {
  const queue = createTurnQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item[0]!, item)
  queue.remove('a', 'a2')
  queue.remove('a', 'a2')
  queue.remove('d', 'd1')
  expect(queue.size).toBe(5)
  const taken = [queue.take(), queue.take()]
  queue.add('d', 'd1')
  while (queue.size > 0) taken.push(queue.take())
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a3', 'b2', 'd1'])
  expect(queue.take()).toBeUndefined()
})
