import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  columnIds,
  defaultColumns,
  moved,
  parseColumns,
  printColumns,
  toggled,
} from './column-choice.ts'

const columns = fc
  .shuffledSubarray([...columnIds])
  .filter((ids) => ids.includes('name') && ids.join() !== defaultColumns.join())

describe('chosen columns', () => {
  test('come back from an address as they were, in their order', () => {
    fc.assert(
      fc.property(columns, (chosen) => {
        expect(parseColumns(printColumns(chosen))).toEqual(chosen)
      }),
    )
  })

  test.each([
    ['nothing', undefined, undefined],
    ['nothing known', 'colour,size', undefined],
    ['an unknown one among others', 'cost,colour,name', ['cost', 'name']],
    ['no name', 'cost,tags', ['name', 'cost', 'tags']],
    ['one twice', 'name,cost,cost', ['name', 'cost']],
  ])('from an address that names %s', (_situation, text, expected) => {
    expect(parseColumns(text)).toEqual(expected)
  })

  test('do not stand in the address while they are those that everybody begins with', () => {
    expect(printColumns(defaultColumns)).toBeUndefined()
    expect(printColumns(toggled(defaultColumns, 'cost'))).not.toContain('cost')
  })

  test('never lose the name, and take up again at the end what was left out', () => {
    expect(toggled(defaultColumns, 'name')).toEqual(defaultColumns)
    expect(toggled(toggled(defaultColumns, 'status'), 'status').at(-1)).toBe('status')
  })

  test('move one by one and stay at the ends', () => {
    const three = ['status', 'name', 'cost'] as const
    expect(moved(three, 'cost', -1)).toEqual(['status', 'cost', 'name'])
    expect(moved(three, 'status', 1)).toEqual(['name', 'status', 'cost'])
    expect(moved(three, 'status', -1)).toEqual(three)
    expect(moved(three, 'cost', 1)).toEqual(three)
    expect(moved(three, 'tags', 1)).toEqual(three)
  })
})
