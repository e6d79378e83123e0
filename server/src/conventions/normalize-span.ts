import { limits } from '@assay/contract/limits.ts'
import { millisBetween } from '../domain/instant.ts'
import { type JsonText, jsonNull, storable } from '../domain/json-text.ts'
import { noPrice, noPricingFacts, noUsage, type Span, type SpanStatus } from '../domain/span.ts'
import { firstText, isEmptyJson } from './attribute-reading.ts'
import type { Convention } from './convention.ts'
import type { DecodedSpan, SpanGroup } from './decoded-span.ts'
import { conventionsOf } from './precedence.ts'
import { pricingFactsOf } from './pricing-facts.ts'
import { attributesOf, eventsOf, linksOf } from './span-body.ts'
import { originOf, type SpanOrigin } from './span-origin.ts'

/*
 * From a decoded span to the span that the rest of the server knows. Every fact is asked of one convention after
 * the other, and the first that knows it decides: a span may speak several.
 */

/** Keys of OpenTelemetry at large, which any instrumentation may use. */
const keys = {
  sessionId: ['session.id'],
  userId: ['user.id', 'enduser.id'],
  environment: ['deployment.environment.name', 'deployment.environment'],
  errorType: ['error.type'],
  exceptionMessage: ['exception.message'],
} as const

/** What a span is that no convention recognizes. */
const unrecognized = 'function'

export function normalizeSpans(groups: readonly SpanGroup[]): Span[] {
  return groups.flatMap((group) => {
    const origin = originOf(group)
    return group.spans.map((span) => normalizeSpan(span, origin))
  })
}

export function normalizeSpan(span: DecodedSpan, origin: SpanOrigin): Span {
  const { attributes } = span
  const spoken = conventionsOf(span)
  const kind = firstTold(spoken, span, 'kind') ?? unrecognized
  const usage = firstTold(spoken, span, 'usage') ?? noUsage
  const model = firstTold(spoken, span, 'model')
  const isPriced = model !== undefined || usage !== noUsage
  const costUsd = firstTold(spoken, span, 'costUsd')
  const status = statusOf(span)
  const sessionId = firstText(attributes, keys.sessionId) ?? firstTold(spoken, span, 'sessionId')
  const userId = firstText(attributes, keys.userId) ?? firstTold(spoken, span, 'userId')
  const environment = firstText(attributes, keys.environment) ?? origin.environment
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId === '' ? null : span.parentSpanId,
    name: shortened(storable(span.name), limits.spanNameLength.value) ?? 'unknown',
    kind,
    status,
    statusMessage: shortened(statusMessageOf(span, status), limits.statusMessageLength.value),
    startedAt: span.startedAt,
    endedAt: span.endedAt,
    latencyMs: millisBetween(span.startedAt, span.endedAt),
    model: shortened(model, limits.modelLength.value),
    ...usage,
    ...(isPriced ? pricingFactsOf(attributes) : noPricingFacts),
    ...noPrice,
    costUsd: costUsd ?? null,
    costSource: costUsd === undefined ? 'unknown' : 'reported',
    sessionId: shortened(sessionId ?? origin.sessionId, limits.sessionIdLength.value),
    userId: shortened(userId ?? origin.userId, limits.sessionIdLength.value),
    environment: shortened(environment, limits.environmentLength.value),
    service: shortened(origin.service, maxOriginLength),
    sdk: shortened(origin.sdk, maxOriginLength),
    body: {
      input: contentOf(spoken, span, kind, ['messagesIn', 'valueIn']),
      output: contentOf(spoken, span, kind, ['messagesOut', 'valueOut']),
      attributes: attributesOf(span),
      events: eventsOf(span),
      links: linksOf(span),
      resource: origin.resource,
      scope: origin.scope,
    },
  }
}

const maxOriginLength = 256

type Fact = Exclude<keyof Convention, 'namespaces'>

function firstTold<F extends Fact>(
  spoken: readonly Convention[],
  span: DecodedSpan,
  fact: F,
): ReturnType<Convention[F]> | undefined {
  for (const convention of spoken) {
    const told = convention[fact](span)
    if (told !== undefined) return told as ReturnType<Convention[F]>
  }
  return undefined
}

type ContentFact = 'messagesIn' | 'messagesOut' | 'valueIn' | 'valueOut'

/**
 * Of a model call the messages, because they keep the roles; of everything else its own arguments and results.
 * The other form where that one is not there, and what is empty only where nothing says more.
 */
function contentOf(
  spoken: readonly Convention[],
  span: DecodedSpan,
  kind: string,
  [messages, value]: readonly [ContentFact, ContentFact],
): JsonText {
  let empty: JsonText | undefined
  for (const fact of kind === 'llm' ? [messages, value] : [value, messages]) {
    for (const convention of spoken) {
      const told = convention[fact](span)
      if (told === undefined) continue
      if (!isEmptyJson(told)) return told
      empty ??= told
    }
  }
  return empty ?? jsonNull
}

function statusOf({ statusCode, attributes }: DecodedSpan): SpanStatus {
  if (statusCode === 1) return 'OK'
  return statusCode === 2 || firstText(attributes, keys.errorType) !== undefined ? 'ERROR' : 'OK'
}

/** The sender's message, else what its last exception or its error type says. */
function statusMessageOf(span: DecodedSpan, status: SpanStatus): string | undefined {
  if (span.statusMessage !== '') return storable(span.statusMessage)
  if (status === 'OK') return undefined
  const exception = span.events.findLast(({ name }) => name === 'exception')
  const told = exception && firstText(exception.attributes, keys.exceptionMessage)
  return told ?? firstText(span.attributes, keys.errorType)
}

/** Null for empty text. Never ends in the middle of a character. */
function shortened(text: string | undefined, maxLength: number): string | null {
  if (text === undefined || text === '') return null
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
