import { limits } from '@assay/contract/limits.ts'
import { millisBetween } from '../domain/instant.ts'
import { type JsonText, jsonNull, toStorableText } from '../domain/json-text.ts'
import { noPrice, noPricingFacts, noUsage, type Span, type SpanStatus } from '../domain/span.ts'
import { firstText, isEmptyJson } from './attribute-reading.ts'
import type { DecodedSpan, SpanGroup } from './decoded-span.ts'
import { identified, identityKeys, tagsOf } from './identity.ts'
import { isPending } from './logfire.ts'
import { factReadersOf } from './precedence.ts'
import { pricingFactsOf } from './pricing-facts.ts'
import { type ResourceAndScope, resourceAndScopeOf } from './resource-and-scope.ts'
import { attributesOf, eventsOf, linksOf } from './span-body.ts'

/*
 * From a decoded span to the span that the rest of the server knows. Every fact is asked of one convention after
 * the other, and the first that knows it decides: a span may speak several.
 */

/** Keys of OpenTelemetry at large, which any instrumentation may use. */
const keys = {
  errorType: ['error.type'],
  exceptionMessage: ['exception.message'],
} as const

/**
 * What a span is that no convention recognizes: a request, a query, a step of somebody's code. Not `function`,
 * which is a call that an agent made and counts as one.
 */
const unrecognized = 'span'

export function normalizeSpans(groups: readonly SpanGroup[]): Span[] {
  return groups.flatMap((group) => {
    const resourceAndScope = resourceAndScopeOf(group)
    return group.spans.flatMap((span) =>
      isPending(span) ? [] : [normalizeSpan(span, resourceAndScope)],
    )
  })
}

export function normalizeSpan(span: DecodedSpan, resourceAndScope: ResourceAndScope): Span {
  const { attributes } = span
  const factReaders = factReadersOf(span)
  const kind = firstReported(factReaders.kind, span) ?? unrecognized
  const usage = firstReported(factReaders.usage, span) ?? noUsage
  const model = firstReported(factReaders.model, span)
  const isPriced = model !== undefined || usage !== noUsage
  const costUsd = firstReported(factReaders.costUsd, span)
  const failure = firstReported(factReaders.failure, span)
  const status = statusOf(span, failure)
  const sessionId = identified(attributes, identityKeys.sessionId) ?? resourceAndScope.sessionId
  const userId = identified(attributes, identityKeys.userId) ?? resourceAndScope.userId
  const environment =
    firstText(attributes, identityKeys.environment) ?? resourceAndScope.environment
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId === '' ? null : span.parentSpanId,
    name: shortened(toStorableText(span.name), limits.spanNameLength.value) ?? 'unknown',
    kind,
    status,
    statusMessage: shortened(
      statusMessageOf(span, status, failure),
      limits.statusMessageLength.value,
    ),
    startedAt: span.startedAt,
    endedAt: span.endedAt,
    latencyMs: millisBetween(span.startedAt, span.endedAt),
    model: shortened(model, limits.modelLength.value),
    ...usage,
    ...(isPriced ? pricingFactsOf(attributes) : noPricingFacts),
    ...noPrice,
    costUsd: costUsd ?? null,
    costSource: costUsd === undefined ? 'unknown' : 'reported',
    sessionId: shortened(sessionId, limits.sessionIdLength.value),
    userId: shortened(userId, limits.sessionIdLength.value),
    environment: shortened(environment, limits.environmentLength.value),
    service: shortened(resourceAndScope.service, maxServiceLength),
    sdk: shortened(resourceAndScope.sdk, maxServiceLength),
    tags: tagsOf(attributes) ?? null,
    body: {
      input: contentOf(span, kind, factReaders.messagesIn, factReaders.valueIn),
      output: contentOf(span, kind, factReaders.messagesOut, factReaders.valueOut),
      attributes: attributesOf(span),
      events: eventsOf(span),
      links: linksOf(span),
      resource: resourceAndScope.resource,
      scope: resourceAndScope.scope,
    },
  }
}

const maxServiceLength = 256

type FactReader<T> = (span: DecodedSpan) => T | undefined

function firstReported<T>(readers: readonly FactReader<T>[], span: DecodedSpan): T | undefined {
  for (const readFact of readers) {
    const reported = readFact(span)
    if (reported !== undefined) return reported
  }
  return undefined
}

/**
 * Of a model call the messages, because they keep the roles; of everything else its own arguments and results.
 * The other form where that one is not there, and what is empty only where nothing says more.
 */
function contentOf(
  span: DecodedSpan,
  kind: string,
  messages: readonly FactReader<JsonText>[],
  values: readonly FactReader<JsonText>[],
): JsonText {
  let empty: JsonText | undefined
  for (const readers of kind === 'llm' ? [messages, values] : [values, messages]) {
    for (const readFact of readers) {
      const reported = readFact(span)
      if (reported === undefined) continue
      if (!isEmptyJson(reported) && !isEmptyMessage(reported)) return reported
      empty ??= reported
    }
  }
  return empty ?? jsonNull
}

const emptyMessage = /^\s*\[\s*\{[^{}[\]]*"parts"\s*:\s*\[\s*\][^{}[\]]*\}\s*\]\s*$/

/** One message without parts: what some send whose instrumentation does not know tool calls. */
function isEmptyMessage(json: JsonText): boolean {
  return json.length < 256 && emptyMessage.test(json)
}

function statusOf(
  { statusCode, attributes }: DecodedSpan,
  failure: string | undefined,
): SpanStatus {
  if (statusCode === 1) return 'OK'
  const isFailed = failure !== undefined || firstText(attributes, keys.errorType) !== undefined
  return statusCode === 2 || isFailed ? 'ERROR' : 'OK'
}

/** The sender's message, else what its last exception or its error type says. */
function statusMessageOf(
  span: DecodedSpan,
  status: SpanStatus,
  failure: string | undefined,
): string | undefined {
  if (span.statusMessage !== '') return toStorableText(span.statusMessage)
  if (status === 'OK') return undefined
  if (failure !== undefined && failure !== '') return failure
  const exception = span.events.findLast(({ name }) => name === 'exception')
  const reported = exception && firstText(exception.attributes, keys.exceptionMessage)
  return reported ?? firstText(span.attributes, keys.errorType)
}

/** Null for empty text. Never ends in the middle of a character. */
function shortened(text: string | undefined, maxLength: number): string | null {
  if (text === undefined || text === '') return null
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
