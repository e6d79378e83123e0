import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../test/sample-span.ts'
import { modelCallOf, problemOf, rootOf } from './turn-spans.ts'

describe('the span that speaks for a trace', () => {
  test.each([
    ['is the one without a parent', [sampleSpan('b', 'a'), sampleSpan('a', null)], 'a'],
    [
      'is the first whose parent never came, where each has one',
      [sampleSpan('c', 'b'), sampleSpan('b', 'gone'), sampleSpan('d', 'gone')],
      'b',
    ],
    ['is none among spans that are parents of each other', cycle(), undefined],
  ])('%s', (_promise, spans, expected) => {
    expect(rootOf(spans)?.span_id).toBe(expected)
  })

  test('is the last call of a model in its place', () => {
    const llm = { kind: 'llm' }
    const spans = [sampleSpan('a', null), sampleSpan('b', 'a', llm), sampleSpan('c', 'a', llm)]
    expect(modelCallOf([...spans, sampleSpan('d', 'a')])?.span_id).toBe('c')
    expect(modelCallOf([sampleSpan('a', null)])).toBeUndefined()
  })
})

describe('what went wrong in a trace', () => {
  const failed = (message: string | null) => ({ status: 'ERROR' as const, status_message: message })

  test.each([
    [
      'is what the innermost failure says',
      [sampleSpan('a', null, failed('run failed')), sampleSpan('b', 'a', failed('no such order'))],
      'no such order',
    ],
    [
      'is what the root says, where what failed below says nothing',
      [sampleSpan('a', null, failed('run failed')), sampleSpan('b', 'a', failed(null))],
      'run failed',
    ],
    [
      'is nothing where a message stands at success',
      [sampleSpan('a', null, { status_message: 'fine' })],
      undefined,
    ],
  ])('%s', (_promise, spans, expected) => {
    expect(problemOf(spans)).toBe(expected)
  })
})

function cycle() {
  return [sampleSpan('a', 'b'), sampleSpan('b', 'a')]
}
