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
  test('survive a round trip through the URL, in order', () => {
    fc.assert(
      fc.property(columns, (chosen) => {
        expect(parseColumns(printColumns(chosen))).toEqual(chosen)
      }),
    )
  })

  test.each([
    ['no columns', undefined, undefined],
    ['only unknown columns', 'color,size', undefined],
    ['an unknown column among others', 'cost,color,name', ['cost', 'name']],
    ['the name missing', 'cost,tags', ['name', 'cost', 'tags']],
    ['a duplicate', 'name,cost,cost', ['name', 'cost']],
  ])('from a URL with %s', (_situation, text, expected) => {
    expect(parseColumns(text)).toEqual(expected)
  })

  test('are left out of the URL while they are the default ones', () => {
    expect(printColumns(defaultColumns)).toBeUndefined()
    expect(printColumns(toggled(defaultColumns, 'cost'))).not.toContain('cost')
  })

  test('always include the name, and are appended when shown again', () => {
    expect(toggled(defaultColumns, 'name')).toEqual(defaultColumns)
    expect(toggled(toggled(defaultColumns, 'status'), 'status').at(-1)).toBe('status')
  })

  test('move one by one and stop at the ends', () => {
    const three = ['status', 'name', 'cost'] as const
    expect(moved(three, 'cost', -1)).toEqual(['status', 'cost', 'name'])
    expect(moved(three, 'status', 1)).toEqual(['name', 'status', 'cost'])
    expect(moved(three, 'status', -1)).toEqual(three)
    expect(moved(three, 'cost', 1)).toEqual(three)
    expect(moved(three, 'tags', 1)).toEqual(three)
  })
})
