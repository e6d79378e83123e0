import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../test/sample-span.ts'
import { findModelCall, findProblem, findRoot } from './turn-spans.ts'

describe('the root span of a trace', () => {
  test.each([
    ['is the one without a parent', [sampleSpan('b', 'a'), sampleSpan('a', null)], 'a'],
    [
      'is the first orphan if every span has a parent',
      [sampleSpan('c', 'b'), sampleSpan('b', 'gone'), sampleSpan('d', 'gone')],
      'b',
    ],
    ['is undefined for a parent cycle', cycle(), undefined],
  ])('%s', (_promise, spans, expected) => {
    expect(findRoot(spans)?.span_id).toBe(expected)
  })

  test('the last model call is the fallback', () => {
    const llm = { kind: 'llm' }
    const spans = [sampleSpan('a', null), sampleSpan('b', 'a', llm), sampleSpan('c', 'a', llm)]
    expect(findModelCall([...spans, sampleSpan('d', 'a')])?.span_id).toBe('c')
    expect(findModelCall([sampleSpan('a', null)])).toBeUndefined()
  })
})

describe('the error of a trace', () => {
  const failed = (message: string | null) => ({ status: 'ERROR' as const, status_message: message })

  test.each([
    [
      'is the message of the innermost failed span',
      [sampleSpan('a', null, failed('run failed')), sampleSpan('b', 'a', failed('no such order'))],
      'no such order',
    ],
    [
      'is the message of the root if the failed child has none',
      [sampleSpan('a', null, failed('run failed')), sampleSpan('b', 'a', failed(null))],
      'run failed',
    ],
    [
      'ignores the message of a successful span',
      [sampleSpan('a', null, { status_message: 'fine' })],
      undefined,
    ],
  ])('%s', (_promise, spans, expected) => {
    expect(findProblem(spans)).toBe(expected)
  })
})

function cycle() {
  return [sampleSpan('a', 'b'), sampleSpan('b', 'a')]
}
