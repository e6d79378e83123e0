import { leavesIn } from '../domain/trace-view/canonical-json.ts'
import type { TraceView, ViewMessage, ViewSpan } from '../domain/trace-view/trace-view.ts'
import type { Evidence } from './evaluator.ts'
import { isQuoteOf, quotePart } from './verdicts.ts'

/*
 * What a model had read when it answered, each text once and with its origin: the material that an answer is checked
 * against, and that can contain instructions of others.
 */

export interface SourceText {
  /** `history`: an answer to an earlier turn. `result`: from a tool, a retriever or memory. */
  readonly origin: 'user' | 'system' | 'history' | 'result'
  readonly span: ViewSpan
  readonly text: string
}

const lengthMax = 100_000
const totalLengthMax = 4_000_000
const textsMax = 20_000

/** The first 100,000 characters of each text, and 4 million of all. Values that are no text are read as their text. */
export function readSources(trace: TraceView): readonly SourceText[] {
  const sources: SourceText[] = []
  const seen = new Set<string>()
  let total = 0
  for (const { origin, span, text } of allSources(trace)) {
    if (total >= totalLengthMax || sources.length >= textsMax) break
    const cut = text.slice(0, lengthMax)
    const key = `${origin} ${cut}`
    if (cut.trim() === '' || seen.has(key)) continue
    seen.add(key)
    total += cut.length
    sources.push({ origin, span, text: cut })
  }
  return sources
}

/** Whether the trace has material besides a short question: results, or a text that the user pasted. */
export function hasMaterial(sources: readonly SourceText[]): boolean {
  return sources.some(
    ({ origin, text }) => origin === 'result' || (origin === 'user' && text.length >= pastedLength),
  )
}

const pastedLength = 300

/** A quote from a source. Text in a JSON text can be escaped in its span: then the quote is the name of the span. */
export function quoteSource(source: SourceText, start: number, end: number): Evidence {
  const { span, text } = source
  const evidence = quotePart({ spanId: span.spanId, text }, start, end)
  return isQuoteOf(span, evidence.quote) ? evidence : { spanId: span.spanId, quote: span.name }
}

function* allSources(trace: TraceView): Generator<SourceText> {
  const { input, system, messages, modelCalls, toolCalls, retrievals, memoryOperations } = trace
  const spans = new Map(trace.spans.map((span) => [span.spanId, span]))
  for (const [origin, one] of [['user', input] as const, ['system', system] as const]) {
    const span = spans.get(one?.spanId ?? '')
    if (one !== undefined && span !== undefined) yield { origin, span, text: one.text }
  }
  yield* inMessages(messages, spans)
  for (const { span, output } of toolCalls) yield* inResult(span, output)
  for (const { span, items } of retrievals) {
    for (const { id, text } of items) yield* [id, text].map((one) => inSpan(span, one))
  }
  for (const { span, operation, value } of memoryOperations) {
    if (operation === 'read') yield* inResult(span, value)
  }
  for (const call of modelCalls) yield* inMessages(call.messages, spans)
}

function* inMessages(
  messages: readonly ViewMessage[],
  spans: ReadonlyMap<string, ViewSpan>,
): Generator<SourceText> {
  const lastOfUser = messages.findLastIndex(({ role }) => role === 'user')
  for (const [index, { role, spanId, text, parts }] of messages.entries()) {
    const span = spans.get(spanId)
    const origin = originOf(role, index < lastOfUser)
    if (span === undefined) continue
    if (origin !== undefined) yield { origin, span, text }
    for (const part of parts) if (part.is === 'result') yield* inResult(span, part.output)
  }
}

function originOf(role: string, isEarlier: boolean): SourceText['origin'] | undefined {
  if (role === 'user') return 'user'
  if (role === 'system' || role === 'developer') return 'system'
  if (role === 'tool' || role === 'function') return 'result'
  return isEarlier ? 'history' : undefined
}

function* inResult(span: ViewSpan, value: unknown): Generator<SourceText> {
  for (const leaf of leavesIn(value)) yield inSpan(span, String(leaf.value))
}

function inSpan(span: ViewSpan, text: string): SourceText {
  return { origin: 'result', span, text }
}
