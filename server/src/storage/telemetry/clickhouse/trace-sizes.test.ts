import { expect, test } from 'vitest'
import { findLarge, fitsWith, type LargeBatch } from './trace-sizes.ts'

const batch = (
  name: string,
  organizationId: string,
  storedSpans: Readonly<Record<string, number>>,
): LargeBatch<string> => ({
  batch: name,
  requester: [organizationId, 'project'],
  storedSpans: new Map(Object.entries(storedSpans)),
})

test('of an organization, batches are large beyond 5,000 stored spans of their traces together', () => {
  const large = findLarge([
    batch('new', 'acme', { a: 0 }),
    batch('small', 'acme', { a: 0, b: 3000 }),
    batch('beyond', 'acme', { c: 2001 }),
    batch('of a trace that is counted', 'acme', { b: 3000 }),
    batch('exactly', 'acme', { d: 2000 }),
    batch('of others', 'other', { e: 5000 }),
    batch('of one huge trace', 'third', { f: 100_000 }),
  ])
  expect([...large.keys()]).toEqual(['beyond', 'of one huge trace'])
})

test('large batches are stored together if they change the same traces, or few spans in all', () => {
  const huge = batch('huge', 'acme', { a: 150_000 })
  expect(fitsWith([huge], batch('the same', 'acme', { a: 150_000 }))).toBe(true)
  expect(fitsWith([huge], batch('another', 'acme', { b: 6000 }))).toBe(false)
  const medium = batch('medium', 'acme', { c: 60_000 })
  expect(fitsWith([medium], batch('fits', 'acme', { b: 40_000 }))).toBe(true)
  expect(fitsWith([medium], batch('does not', 'acme', { b: 40_001 }))).toBe(false)
})
