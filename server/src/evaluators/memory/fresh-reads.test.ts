import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { freshReads } from './fresh-reads.ts'

type Samples = Parameters<typeof sampleView>[0]
const evaluate = (samples: Samples) =>
  freshReads.evaluate(sampleView([{ kind: 'agent' }, ...samples]), { siblings: [] })
const write = (key: string, value: unknown) => ({
  ...{ kind: 'memory', input: { operation: 'write', key, value } },
})
const read = (key: string, value: unknown) => ({
  ...{ kind: 'memory', input: { operation: 'read', key }, output: { value } },
})

test.each([
  ['the value', [write('city', 'Oslo'), read('city', 'Oslo')]],
  [
    'the newest of two values',
    [write('city', 'Oslo'), write('city', 'Bergen'), read('city', 'Bergen')],
  ],
  ['an equal object', [write('trip', { a: 1, b: 2 }), read('trip', { b: 2, a: 1 })]],
  ['a list with the value', [write('city', 'Oslo'), read('city', ['Rome', 'Oslo'])]],
])('a read that returns %s is fresh', (_what, samples) => {
  expect(evaluate(samples)).toMatchObject({ status: 'scored', score: 1 })
})

test.each([
  [
    'an older value',
    [write('city', 'Oslo'), write('city', 'Bergen'), read('city', 'Oslo')],
    'Oslo',
  ],
  ['nothing', [write('city', 'Oslo'), read('city', null)], 'memory'],
])('a read that returns %s is stale', (_what, samples, quote) => {
  expect(evaluate(samples)).toMatchObject({ score: 0, evidence: [{ quote }] })
})

test('a read during a write may return either value', () => {
  const slow = { ...write('city', 'Bergen'), ended_at: '2026-01-01T00:01:00.000Z' }
  expect(evaluate([slow, read('city', 'Oslo')]).status).toBe('not_applicable')
})

test.each([
  ['another key is read', [write('city', 'Oslo'), read('name', 'Ada')]],
  ['the read comes first', [read('city', 'Rome'), write('city', 'Oslo')]],
  ['nothing is written', [read('city', 'Rome')]],
])('a trace in which %s is not evaluated', (_what, samples) => {
  expect(evaluate(samples).status).toBe('not_applicable')
})

test('a memory that works scores 1, and one that returns first values scores below', () => {
  const operation = fc.record({
    key: fc.constantFrom('a', 'b'),
    value: fc.option(fc.uuid(), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(operation, { minLength: 2, maxLength: 20 }), (operations) => {
      const [newest, first] = [new Map<string, string>(), new Map<string, string>()]
      let staleReads = 0
      const run = (isBroken: boolean) =>
        operations.map(({ key, value }) => {
          if (value === undefined) {
            const stored = (isBroken ? first : newest).get(key) ?? null
            if (isBroken && stored !== (newest.get(key) ?? null)) staleReads += 1
            return read(key, stored)
          }
          newest.set(key, value)
          if (!first.has(key)) first.set(key, value)
          return write(key, value)
        })
      const working = evaluate(run(false))
      expect(working.status === 'scored' ? working.score : 1).toBe(1)
      newest.clear()
      first.clear()
      const broken = evaluate(run(true))
      expect(broken.status === 'scored' && broken.score < 1).toBe(staleReads > 0)
    }),
  )
})
