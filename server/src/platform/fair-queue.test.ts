import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FairQueue, openFairQueue } from './fair-queue.ts'

const itemsOf = (queue: FairQueue<string>, count: number) =>
  Array.from({ length: count }, () => queue.take()?.item)

test('owners take turns, each in the order of arrival', () => {
  const queue = openFairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item[0]!, item)
  queue.remove('a', 'a2')
  queue.remove('a', 'a2')
  queue.remove('d', 'd1')
  expect(queue.size).toBe(5)
  const taken = itemsOf(queue, 2)
  queue.add('d', 'd1')
  taken.push(...itemsOf(queue, queue.size))
  expect(taken).toEqual(['a1', 'b1', 'c1', 'd1', 'a3', 'b2'])
  expect(queue.take()).toBeUndefined()
})

test('an owner with costly items waits until the others have cost as much', () => {
  const queue = openFairQueue<string>()
  for (let n = 0; n < 10; n += 1) queue.add('costly', 'costly')
  queue.take()?.charge(100)
  for (let n = 0; n < 20; n += 1) queue.add('cheap', 'cheap')
  expect(new Set(itemsOf(queue, 20))).toEqual(new Set(['cheap']))
  expect(queue.take(99)).toBeUndefined()
  expect(queue.take(100)?.item).toBe('costly')
})

test('an item that is put back is the next of its owner, after others have cost as much', () => {
  const queue = openFairQueue<string>()
  for (const item of ['a1', 'a2', 'b1', 'b2', 'b3']) queue.add(item[0]!, item)
  queue.take()?.putBack(2)
  expect(queue.size).toBe(5)
  expect(itemsOf(queue, 5)).toEqual(['b1', 'b2', 'a1', 'b3', 'a2'])
})

test('an item that was only looked at is expected to cost as much as before', () => {
  const queue = openFairQueue<string>()
  for (let n = 0; n < 2; n += 1) queue.add('costly', 'costly')
  queue.take()?.charge(100)
  for (let n = 0; n < 20; n += 1) queue.take()?.putBack(0)
  expect(queue.take(99)).toBeUndefined()
  expect(queue.take(100)?.item).toBe('costly')
})

test('an owner that arrives waits for what others have cost, not for what was expected of them', () => {
  const queue = openFairQueue<string>()
  for (let n = 0; n < 30; n += 1) queue.add('busy', 'busy')
  queue.take()?.charge(100)
  const inWork = Array.from({ length: 10 }, () => {
    const taken = queue.take()!
    taken.charge(1)
    return taken
  })
  queue.add('quiet', 'quiet')
  for (const { charge } of inWork) charge(2)
  expect(queue.take()?.item).toBe('quiet')
})

test('an item that is reported twice costs what the last report says', () => {
  const queue = openFairQueue<string>()
  for (const item of ['a', 'a', 'b', 'b', 'b', 'b', 'b']) queue.add(item, item)
  const { charge } = queue.take()!
  charge(1)
  charge(4)
  expect(itemsOf(queue, 6)).toEqual(['b', 'b', 'b', 'b', 'a', 'b'])
})

test('an owner that was idle has saved up nothing', () => {
  const queue = openFairQueue<string>()
  for (let n = 0; n < 100; n += 1) queue.add('a', 'a')
  itemsOf(queue, 50)
  for (let n = 0; n < 10; n += 1) queue.add('b', 'b')
  expect(itemsOf(queue, 10).filter((owner) => owner === 'b').length).toBeLessThanOrEqual(6)
})

test.each([0.1, 1, 30])(
  'an owner is served again and again while ever new owners come whose items cost %d',
  (cost) => {
    const queue = openFairQueue<string>()
    const newOwners = 50
    let last = 0
    const addNew = () => queue.add(`new ${(last += 1)}`, 'new')
    for (let n = 0; n < newOwners; n += 1) addNew()
    queue.add('same', 'same')
    let served = 0
    for (let n = 0; n < 20 * newOwners; n += 1) {
      const taken = queue.take()!
      taken.charge(cost)
      if (taken.item === 'new') addNew()
      else {
        served += 1
        queue.add('same', 'same')
      }
    }
    expect(served).toBeGreaterThanOrEqual(10)
  },
)

test('owners with waiting items cost the same, to the cost of the items in flight', () => {
  const costs = fc.array(fc.constantFrom(1, 1, 1, 20), { minLength: 300, maxLength: 300 })
  const inFlightMax = fc.integer({ min: 1, max: 10 })
  fc.assert(
    fc.property(costs, inFlightMax, fc.integer({ min: 2, max: 5 }), (itemCosts, most, owners) => {
      const queue = openFairQueue<number>()
      for (let owner = 0; owner < owners; owner += 1) {
        for (let n = 0; n < itemCosts.length; n += 1) queue.add(String(owner), owner)
      }
      const total = Array.from({ length: owners }, () => 0)
      const inFlight: (() => void)[] = []
      for (const cost of itemCosts) {
        const { item, charge } = queue.take()!
        inFlight.push(() => {
          charge(cost)
          total[item]! += cost
        })
        if (inFlight.length === most) inFlight.shift()!()
      }
      expect(Math.max(...total) - Math.min(...total)).toBeLessThanOrEqual(20 * (most + 2))
    }),
  )
})
