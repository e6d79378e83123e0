import fc from 'fast-check'
import type { JsonText } from './json-text.ts'
import type { CountedSpan } from './trace-totals.ts'

/*
 * Spans for the tests of totals, rollups and facets.
 */

export const plain: CountedSpan = {
  spanId: 'root',
  parentSpanId: null,
  name: 'run',
  kind: 'agent',
  status: 'OK',
  startedAt: 1_000n,
  endedAt: 2_000n,
  model: null,
  tokensIn: null,
  tokensOut: null,
  tokensCacheRead: null,
  tokensCacheWrite: null,
  costUsd: null,
  sessionId: null,
  userId: null,
  environment: null,
  service: null,
  sdk: null,
  responseId: null,
  tags: null,
  traceName: null,
  source: 'json',
}

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const word = fc.constantFrom(null, 'x', 'y', 'z')

const anyAmounts = {
  tokensOut: fc.option(fc.maxSafeNat()),
  costUsd: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
}
const smallAmounts = { tokensOut: fc.option(fc.nat(5)), costUsd: fc.option(fc.nat(5)) }

const spanWith = (
  spanId: string,
  amounts: typeof anyAmounts | typeof smallAmounts,
): fc.Arbitrary<CountedSpan> =>
  fc.record({
    spanId: fc.constant(spanId),
    parentSpanId: fc.constantFrom(null, 'lost', ...ids),
    name: fc.constantFrom('m', 'n', 'o', 'a.n', 'execute_tool n', 'tools/list'),
    kind: fc.constantFrom('llm', 'llm', 'llm', 'tool', 'mcp', 'function', 'agent'),
    status: fc.constantFrom('OK' as const, 'ERROR' as const),
    startedAt: fc.bigInt({ min: 0n, max: 3n }),
    endedAt: fc.bigInt({ min: 3n, max: 5n }),
    model: word,
    tokensIn: fc.option(fc.nat(5)),
    tokensCacheRead: fc.option(fc.nat(2)),
    tokensCacheWrite: fc.option(fc.nat(2)),
    ...amounts,
    sessionId: word,
    userId: word,
    environment: word,
    service: word,
    sdk: word,
    responseId: word,
    tags: fc.constantFrom(null, '["x"]' as JsonText, '["y","x"]' as JsonText),
    traceName: word,
    source: fc.constantFrom('json' as const, 'otlp' as const),
  })

/** At least one span, unique ids, any links. */
export const anySpans: fc.Arbitrary<CountedSpan[]> = fc
  .uniqueArray(fc.constantFrom(...ids), { minLength: 1 })
  .chain((chosen) => fc.tuple(...chosen.map((spanId) => spanWith(spanId, anyAmounts))))

/** Spans in order of arrival: a repeated id replaces its span. */
export const anyArrivals: fc.Arbitrary<CountedSpan[]> = fc.array(
  fc
    .tuple(fc.constantFrom(...ids), fc.integer({ min: 0, max: 9 }))
    .chain(([spanId, draw]) => spanWith(spanId, draw === 0 ? anyAmounts : smallAmounts)),
  { minLength: 1, maxLength: 12 },
)
