import { expect, test } from 'vitest'
import { splitBySize, splitForParameter, splitTraceKeys, type TraceKey } from './parameter-lists.ts'

/** Of a parameter, by default. */
const serverLimit = 128 * 1024

/** As the client writes a list of texts. */
const textOf = (ids: readonly string[]) =>
  `[${ids.map((id) => `'${id.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`).join(',')}]`

test.each([
  ['short', 'abc'],
  ['of the longest kind', '😀'.repeat(128)],
  ['that are all escaped', "'".repeat(128)],
])('lists of ids %s are split into parts that a server accepts, in order', (_which, id) => {
  const ids = Array.from({ length: 20_000 }, (_, i) => `${id}${i}`)
  const parts = [...splitForParameter(ids, (each) => each)]
  for (const part of parts) expect(Buffer.byteLength(textOf(part))).toBeLessThan(serverLimit)
  expect(parts.flat()).toEqual(ids)
})

test('parts have a size together, and what is larger is alone', () => {
  const parts = [...splitBySize([3, 4, 3, 11, 1, 9, 1], (size) => size, 10)]
  expect(parts).toEqual([[3, 4, 3], [11], [1, 9], [1]])
})

test('an empty list has no parts', () => {
  expect([...splitForParameter([], String)]).toEqual([])
})

test('of traces, both their ids and those of their projects fit', () => {
  const keys = Array.from({ length: 9000 }, (_, i): TraceKey => ['p'.repeat(36), String(i)])
  const parts = [...splitTraceKeys(keys)]
  for (const part of parts) {
    expect(Buffer.byteLength(textOf(part.map(([project]) => project)))).toBeLessThan(serverLimit)
  }
  expect(parts.flat()).toEqual(keys)
})
