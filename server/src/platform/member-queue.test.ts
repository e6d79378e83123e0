import { expect, test } from 'vitest'
import { type MemberQueue, openMemberQueue } from './member-queue.ts'
import type { Requester } from './requester.ts'

const itemsOf = (queue: MemberQueue<string>, count: number) =>
  Array.from({ length: count }, () => queue.take()?.item)

const add = (queue: MemberQueue<string>, requester: Requester, count: number) => {
  for (let n = 1; n <= count; n += 1) queue.add(requester, `${requester[1]} ${n}`)
}

test('organizations take turns, and in each its people', () => {
  const queue = openMemberQueue<string>()
  for (const person of ['ana', 'ben', 'cy']) add(queue, ['many', person], 2)
  add(queue, ['one', 'victim'], 2)
  expect(itemsOf(queue, 8)).toEqual([
    ...['ana 1', 'victim 1', 'ben 1', 'victim 2'],
    ...['cy 1', 'ana 2', 'ben 2', 'cy 2'],
  ])
  expect(queue.take()).toBeUndefined()
})

test('a person with costly items waits until the others of the organization have cost as much', () => {
  const queue = openMemberQueue<string>()
  add(queue, ['o', 'costly'], 2)
  queue.take()?.charge(100)
  add(queue, ['o', 'cheap'], 20)
  expect(itemsOf(queue, 21).at(-1)).toBe('costly 2')
})

test('a removed item is skipped, and the items of others keep their turns', () => {
  const queue = openMemberQueue<string>()
  add(queue, ['a', 'ana'], 2)
  add(queue, ['a', 'ben'], 1)
  add(queue, ['b', 'victim'], 1)
  queue.remove(['a', 'ana'], 'ana 1')
  queue.remove(['a', 'ana'], 'ana 1')
  queue.remove(['c', 'ana'], 'ana 2')
  expect(queue.size).toBe(3)
  expect(itemsOf(queue, 3)).toEqual(['ana 2', 'victim 1', 'ben 1'])
})

test('people who may not be served are passed over, and keep their items', () => {
  const queue = openMemberQueue<string>()
  add(queue, ['a', 'ana'], 2)
  add(queue, ['a', 'ben'], 1)
  add(queue, ['b', 'cy'], 1)
  const onlyBen = ([, userId]: Requester) => userId === 'ben'
  expect(queue.take(onlyBen)?.item).toBe('ben 1')
  expect(queue.take(onlyBen)).toBeUndefined()
  expect(new Set(itemsOf(queue, 3))).toEqual(new Set(['ana 1', 'ana 2', 'cy 1']))
})

test('items that are put back are next, also when their organization was forgotten meanwhile', () => {
  const queue = openMemberQueue<string>()
  add(queue, ['a', 'ana'], 1)
  const taken = queue.take()
  for (let n = 0; n < 1100; n += 1) {
    add(queue, [`idle ${n}`, 'x'], 1)
    queue.take()?.charge(1)
  }
  taken?.putBack(0)
  add(queue, ['a', 'ana'], 1)
  expect(itemsOf(queue, 3)).toEqual(['ana 1', 'ana 1', undefined])
})

test('nothing is taken that is expected to cost more than the maximum', () => {
  const queue = openMemberQueue<string>()
  add(queue, ['o', 'costly'], 2)
  queue.take()?.charge(100)
  add(queue, ['o', 'cheap'], 1)
  expect(queue.take(undefined, 10)).toBeUndefined()
  expect(queue.hasFor(([, userId]) => userId === 'cheap')).toBe(true)
  expect(queue.hasFor(([, userId]) => userId === 'missing')).toBe(false)
  expect(itemsOf(queue, 3)).toEqual(['cheap 1', 'costly 2', undefined])
})
