import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveItem } from './move-item.ts'

test('an item is moved before, behind, and not beyond the ends', () => {
  const items = ['a', 'b', 'c']
  expect(moveItem(items, 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moveItem(items, 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moveItem(items, 0, -1)).toBe(items)
  expect(moveItem(items, 2, 3)).toBe(items)
})

test('a move keeps the other items in order, and moving back restores the list', () => {
  const list = fc.uniqueArray(fc.integer(), { minLength: 1 })
  fc.assert(
    fc.property(list, fc.nat(), fc.nat(), (items, a, b) => {
      const [from, to] = [a % items.length, b % items.length]
      const moved = moveItem(items, from, to)
      expect(moved[to]).toBe(items[from])
      const isOther = (item: number) => item !== items[from]
      expect(moved.filter(isOther)).toEqual(items.filter(isOther))
      expect(moveItem(moved, to, from)).toEqual(items)
    }),
  )
})
