import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Column, Sort } from './table-model.ts'
import { nextSort, sortRows } from './table-sort.ts'

interface Row {
  readonly name: string
  readonly size: number | null
}

const columns: readonly Column<Row>[] = [
  { key: 'name', header: 'Name', cell: ({ name }) => name, sortValue: ({ name }) => name },
  { key: 'size', header: 'Size', cell: () => '', align: 'end', sortValue: ({ size }) => size },
  { key: 'plain', header: 'Plain', cell: () => '' },
]
const rowsOf = fc.array(
  fc.record({ name: fc.string(), size: fc.option(fc.integer(), { nil: null }) }),
)
const directionOf = fc.constantFrom('ascending' as const, 'descending' as const)

describe('sorted rows', () => {
  test('are the same rows, with known values in order and unknown ones last', () => {
    fc.assert(
      fc.property(rowsOf, directionOf, (rows, direction) => {
        const sizes = sortRows(rows, columns, { key: 'size', direction }).map(({ size }) => size)
        const known = rows.flatMap(({ size }) => size ?? [])
        const sign = direction === 'ascending' ? 1 : -1
        const unknown = rows.filter(({ size }) => size === null).map(() => null)
        expect(sizes).toEqual([...known.toSorted((a, b) => sign * (a - b)), ...unknown])
      }),
    )
  })

  test('keep the order of equal ones', () => {
    const rows = ['b', 'a', 'c'].map((name) => ({ name, size: 1 }))
    for (const direction of ['ascending', 'descending'] as const) {
      expect(sortRows(rows, columns, { key: 'size', direction })).toEqual(rows)
    }
  })

  test('are in natural order: case-insensitive, with numbers by value', () => {
    const rows = ['b10', 'B9', 'a'].map((name) => ({ name, size: null }))
    const sorted = sortRows(rows, columns, { key: 'name', direction: 'ascending' })
    expect(sorted.map(({ name }) => name)).toEqual(['a', 'B9', 'b10'])
  })

  test.each([
    undefined,
    { key: 'plain', direction: 'ascending' },
    { key: 'gone', direction: 'ascending' },
  ] as const)('are unchanged for the sort %j', (sort) => {
    const rows = [
      { name: 'b', size: 2 },
      { name: 'a', size: 1 },
    ]
    expect(sortRows(rows, columns, sort)).toBe(rows)
  })
})

test.each<[string, Sort | undefined, Sort['direction']]>([
  ['name', undefined, 'ascending'],
  ['size', undefined, 'descending'],
  ['size', { key: 'size', direction: 'descending' }, 'ascending'],
  ['name', { key: 'name', direction: 'ascending' }, 'descending'],
  ['name', { key: 'size', direction: 'ascending' }, 'ascending'],
])('a click on %s after %j sorts it %s', (key, sort, direction) => {
  const column = columns.find((one) => one.key === key)
  expect(column && nextSort(column, sort)).toEqual({ key, direction })
})
