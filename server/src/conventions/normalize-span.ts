import { limits } from '@assay/contract/limits.ts'
import { millisBetween } from '../domain/instant.ts'
import { type JsonText, jsonNull, toStorableText } from '../domain/json-text.ts'
import {
  noPrice,
  noPricingFacts,
  noUsage,
  type Span,
  type SpanStatus,
  type Usage,
} from '../domain/span.ts'
import { hasTokens } from '../domain/span-tree.ts'
import { firstText, isEmptyJson } from './attribute-reading.ts'
import { isCacheApart } from './cache-senders.ts'
import type { DecodedSpan, SpanGroup } from './decoded-span.ts'
import { readIdentity } from './identity.ts'
import { isPending } from './logfire.ts'
import { mergedUsage } from './merged-usage.ts'
import { type FactReaders, selectFactReaders } from './precedence.ts'
import { readPricingFacts } from './pricing-facts.ts'
import type { ReportedUsage } from './reported-usage.ts'
import { type ResourceAndScope, readResourceAndScope } from './resource-and-scope.ts'
import { serializeAttributes, serializeEvents, serializeLinks } from './span-body.ts'
import { withInstructions } from './system-instructions.ts'

/*
 * From a decoded span to the span of the domain. A span may use several conventions: each fact comes from the
 * first that has it.
 */

/** General OpenTelemetry keys, which any instrumentation may use. */
const keys = {
  errorType: ['error.type'],
  exceptionMessage: ['exception.message'],
} as const

/** The kind where no convention has one: a request, a query, a step of code. Not `function`, which counts as a tool call. */
const unrecognized = 'span'

export function normalizeSpans(groups: readonly SpanGroup[]): Span[] {
  return groups.flatMap((group) => {
    const resourceAndScope = readResourceAndScope(group)
    return group.spans.flatMap((span) =>
      isPending(span) ? [] : [normalizeSpan(span, resourceAndScope)],
    )
  })
}

export function normalizeSpan(span: DecodedSpan, resourceAndScope: ResourceAndScope): Span {
  const { attributes } = span
  const factReaders = selectFactReaders(span)
  const name = firstReported(factReaders.name, span) ?? span.name
  const kind = firstReported(factReaders.kind, span) ?? unrecognized
  const usage = mergeUsage(factReaders.usage, span, resourceAndScope.scopeName)
  const model = firstReported(factReaders.model, span)
  const isPriced = model !== undefined || usage !== noUsage
  const reportedUsd =
    firstReported(factReaders.costUsd, span) ?? firstReported(factReaders.partialCostUsd, span)
  // Some senders write 0 for a cost that they do not know.
  const costUsd = reportedUsd === 0 && hasTokens(usage) ? undefined : reportedUsd
  const failure = firstReported(factReaders.failure, span)
  const status = toStatus(span, failure)
  const identity = readIdentity(attributes)
  const sessionId =
    identity.sessionId ?? firstReported(factReaders.sessionId, span) ?? resourceAndScope.sessionId
  const userId = identity.userId ?? resourceAndScope.userId
  const environment = identity.environment ?? resourceAndScope.environment
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId === '' ? null : span.parentSpanId,
    name: shortened(toStorableText(name), limits.spanNameLength.value) ?? 'unknown',
    kind,
    status,
    statusMessage: shortened(
      toStatusMessage(span, status, failure),
      limits.statusMessageLength.value,
    ),
    startedAt: span.startedAt,
    endedAt: span.endedAt,
    latencyMs: millisBetween(span.startedAt, span.endedAt),
    model: shortened(model, limits.modelLength.value),
    ...usage,
    ...(isPriced ? readPricingFacts(attributes) : noPricingFacts),
    ...noPrice,
    costUsd: costUsd ?? null,
    costSource: costUsd === undefined ? 'unknown' : 'reported',
    sessionId: shortened(sessionId, limits.sessionIdLength.value),
    userId: shortened(userId, limits.sessionIdLength.value),
    environment: shortened(environment, limits.environmentLength.value),
    service: shortened(resourceAndScope.service, maxServiceLength),
    sdk: shortened(resourceAndScope.sdk, maxServiceLength),
    responseId: shortened(identity.responseId, maxServiceLength),
    repeatsSpanId: null,
    isSeparateCall: false,
    tags: identity.tags ?? null,
    traceName: shortened(identity.traceName, limits.rootNameLength.value),
    body: {
      input: readContent(span, kind, () => messagesIn(span, factReaders), factReaders.valueIn),
      output: readContent(
        span,
        kind,
        () => firstContent(factReaders.messagesOut, span),
        factReaders.valueOut,
      ),
      attributes: serializeAttributes(span),
      events: serializeEvents(span),
      links: serializeLinks(span),
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

function mergeUsage(readers: FactReaders['usage'], span: DecodedSpan, scope: string): Usage {
  const reports: ReportedUsage[] = []
  for (const readUsage of readers) {
    const reported = readUsage(span)
    if (reported === 'running-total') break
    if (reported !== undefined) reports.push(reported)
  }
  if (reports.length === 0) return noUsage
  const cacheIsApart = isCacheApart(scope, span.name)
  const settled =
    cacheIsApart === undefined
      ? reports
      : reports.map((each) => ({ ...each, total: undefined, cacheIsApart }))
  return mergedUsage(settled) ?? noUsage
}

/** The messages of a model call, because they keep the roles; the arguments and results of everything else. */
function readContent(
  span: DecodedSpan,
  kind: string,
  messages: () => JsonText | undefined,
  values: readonly FactReader<JsonText>[],
): JsonText {
  const readValue = () => firstContent(values, span)
  const [usual, other] = kind === 'llm' ? [messages, readValue] : [readValue, messages]
  const content = usual()
  if (content !== undefined && !isEmptyContent(content)) return content
  const alternative = other()
  const isEmpty = alternative === undefined || isEmptyContent(alternative)
  return (isEmpty ? (content ?? alternative) : alternative) ?? jsonNull
}

/** The first that is not empty, else the first. */
function firstContent(
  readers: readonly FactReader<JsonText>[],
  span: DecodedSpan,
): JsonText | undefined {
  let empty: JsonText | undefined
  for (const readFact of readers) {
    const reported = readFact(span)
    if (reported === undefined) continue
    if (!isEmptyContent(reported)) return reported
    empty ??= reported
  }
  return empty
}

function messagesIn(span: DecodedSpan, readers: FactReaders): JsonText | undefined {
  const messages = firstContent(readers.messagesIn, span)
  return withInstructions(firstReported(readers.instructions, span), messages)
}

function isEmptyContent(json: JsonText): boolean {
  return isEmptyJson(json) || isEmptyMessage(json)
}

const emptyMessage = /^\s*\[\s*\{[^{}[\]]*"parts"\s*:\s*\[\s*\][^{}[\]]*\}\s*\]\s*$/

/** One message without parts, as instrumentations without support for tool calls send it. */
function isEmptyMessage(json: JsonText): boolean {
  return json.length < 256 && emptyMessage.test(json)
}

function toStatus(
  { statusCode, attributes }: DecodedSpan,
  failure: string | undefined,
): SpanStatus {
  if (statusCode === 1) return 'OK'
  const isFailed = failure !== undefined || firstText(attributes, keys.errorType) !== undefined
  return statusCode === 2 || isFailed ? 'ERROR' : 'OK'
}

/** The sender's message, else that of its last exception, else its error type. */
function toStatusMessage(
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
