import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineColumns } from './columns.ts'

interface Item {
  readonly id: string
  readonly note: string | null
  readonly count: number | null
  readonly at: bigint
  readonly tags: readonly string[] | null
  readonly isOpen: boolean
  readonly lengthMs: number | null
}

const columns = defineColumns<Item>({
  id: ['thing_id', 'text'],
  note: ['note', 'text'],
  count: ['count', 'integer'],
  at: ['at', 'instant'],
  tags: ['tags', 'json'],
  isOpen: ['is_open', 'boolean'],
  lengthMs: ['length_ms', 'positive'],
})

const items: fc.Arbitrary<Item> = fc.record({
  id: fc.string(),
  note: fc.option(fc.string()),
  count: fc.option(fc.integer()),
  at: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  tags: fc.option(fc.array(fc.string())),
  isOpen: fc.boolean(),
  lengthMs: fc.option(fc.nat()),
})

test('the parts of statements list the columns in the declared order', () => {
  expect(columns.names).toBe('thing_id, note, count, at, tags, is_open, length_ms')
  expect(columns.placeholders).toBe('?, ?, ?, ?, ?, ?, ?')
  expect(columns.selection).toBe(
    'thing_id, note, count, CAST(at AS TEXT), tags, is_open, length_ms',
  )
  expect(columns.pick(['at', 'id']).assignments).toBe('at = ?, thing_id = ?')
})

test('a row returns the value that was written, as a whole, in parts and through JSON', () => {
  fc.assert(
    fc.property(items, (item) => {
      const row = JSON.parse(JSON.stringify(columns.toRow(item)))
      expect(columns.fromRow(row)).toEqual(item)
      expect(columns.reader('at')(row)).toBe(item.at)
      expect(columns.selectReader(['tags', 'id'])(row)).toEqual({ tags: item.tags, id: item.id })
      const picked = columns.pick(['tags', 'id'])
      expect(picked.fromRow(picked.toRow(item))).toEqual({ tags: item.tags, id: item.id })
    }),
  )
})
