import { expect, test } from 'vitest'
import { labelTraces } from './label-traces.ts'

const trace = (changes: Partial<Parameters<typeof labelTraces>[0]>) => ({
  ...{ models: [], root_name: 'refund', trace_id: 't', started_at: '2026-11-20T10:00:00.5Z' },
  ...changes,
})

const long = 'n'.repeat(512)

test.each([
  ['the models', { models: ['small'] }, { models: ['large'] }, ['small', 'large']],
  [
    'the names, if both used the same model',
    { models: ['small'], root_name: 'old prompt' },
    { models: ['small'], root_name: 'new prompt' },
    ['old prompt', 'new prompt'],
  ],
  [
    'the names, if one used several models',
    { models: ['small'], root_name: 'old prompt' },
    { models: ['small', 'large'], root_name: 'new prompt' },
    ['old prompt', 'new prompt'],
  ],
  [
    'the id of a trace without a name',
    { root_name: '', trace_id: 'first' },
    {},
    ['first', 'refund'],
  ],
  [
    'the start of traces with the same name',
    {},
    { started_at: '2026-11-20T11:00:00Z' },
    ['refund, 2026-11-20 10:00:00.5 UTC', 'refund, 2026-11-20 11:00:00 UTC'],
  ],
  ['their sides, if nothing else differs', {}, {}, ['Trace A', 'Trace B']],
])('traces are labeled by %s', (_by, a, b, expected) => {
  expect(labelTraces(trace(a), trace(b))).toEqual(expected)
})

test('labels of traces with long names are short enough and differ', () => {
  const [a, b] = labelTraces(
    trace({ root_name: `${long}a` }),
    trace({ root_name: `${long}b`, started_at: '2026-11-20T11:00:00.123456789Z' }),
  )
  expect(Math.max(a.length, b.length)).toBeLessThanOrEqual(256)
  expect(a).not.toBe(b)
})
