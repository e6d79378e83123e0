import { emptyArray, emptyObject, type JsonText, jsonNull } from '../../../../domain/json-text.ts'
import { noPrice, noPricingFacts, noUsage, type Span } from '../../../../domain/span.ts'

/** A span of a trace that a check records. Its trace has as many tokens in as it has such spans. */
export function verifiedSpan(traceId: string, number: number, word = ''): Span {
  const startedAt = BigInt(Date.now()) * 1_000_000n + BigInt(number)
  return {
    ...noUsage,
    ...noPricingFacts,
    ...noPrice,
    ...{ traceId, spanId: `span-${number}`, parentSpanId: null },
    ...{ name: 'assay verify', kind: 'llm', status: 'OK', statusMessage: null },
    ...{ startedAt, endedAt: startedAt + 1_000_000n, latencyMs: 1, tokensIn: 1, tokensOut: 0 },
    ...{ model: 'verified', costUsd: null, costSource: 'unknown' },
    ...{ sessionId: null, userId: null, environment: null, service: null, sdk: null },
    ...{ responseId: null, repeatsSpanId: null, isSeparateCall: false },
    ...{ tags: null, traceName: null },
    body: {
      ...{ input: JSON.stringify(word) as JsonText, output: jsonNull, attributes: emptyObject },
      ...{ events: emptyArray, links: emptyArray, resource: emptyObject, scope: emptyObject },
    },
  }
}
