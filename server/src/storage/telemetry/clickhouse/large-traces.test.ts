import { expect, test } from 'vitest'
import { plain } from '../../../domain/counted-span.samples.ts'
import { openLargeTraces } from './large-traces.ts'
import { countSpans } from './trace-sources.ts'

const trace = (spanCount: number, name = 'n') =>
  countSpans(
    Array.from({ length: spanCount }, (_, i) => ({
      ...{ ...plain, name, spanId: String(i), projectId: 'p', traceId: 't', version: '1' },
    })),
  )

test('a large trace is cached until it is taken; a small one is not', () => {
  const large = openLargeTraces()
  const first = trace(1000)
  large.put('large', first)
  large.put('small', trace(999))
  expect(large.take('small')).toBeUndefined()
  expect(large.take('large')).toBe(first)
  expect(large.take('large')).toBeUndefined()
})

test('a trace of the maximum size is cached, and those changed longest ago make room for others', () => {
  const large = openLargeTraces()
  large.put('maximum', trace(100_000))
  large.put('other', trace(50_000))
  expect(large.take('maximum')).toBeUndefined()
  expect(large.take('other')).toBeDefined()
  large.put('maximum', trace(100_000))
  expect(large.take('maximum')).toBeDefined()
})

test('long texts count', () => {
  const large = openLargeTraces()
  large.put('first', trace(3000))
  large.put('long', trace(10_000, 'x'.repeat(9200)))
  expect(large.take('first')).toBeUndefined()
  expect(large.take('long')).toBeDefined()
  // More than fits is not cached at all.
  large.put('longer', trace(20_000, 'x'.repeat(9000)))
  expect(large.take('longer')).toBeUndefined()
})
