import type { EndedReply } from '../../chat-replies/reply-turn.ts'
import { maskContinued } from '../../detection/continued-token.ts'
import { maskBlocking } from '../../detection/mask-findings.ts'
import { parseInstant } from '../../domain/instant.ts'
import { emptyObject, toJsonText, toStorableJson } from '../../domain/json-text.ts'
import { noUsage, type Span } from '../../domain/span.ts'
import type { Work } from '../../ingest-workers/messages.ts'
import { callSpan } from '../../model-gateway/call-span.ts'
import type { CallReport, ModelMessage } from '../../model-gateway/model-call.ts'
import { newSecret } from '../../platform/ids.ts'
import type { EncodedBatch } from '../../storage/telemetry/port/ingest.ts'
import { type TitleCall, titleSystem } from './write-title.ts'

/*
 * The spans of a turn. Its context can have megabytes: masking, serializing and compressing them takes too long for the
 * event loop, so that a thread can do it.
 */

/** What the trace of a turn is made of. Nothing is masked yet. */
export interface TurnFacts {
  readonly traceId: string
  readonly conversationId: string
  /** Of the reply. */
  readonly messageId: string
  readonly userId: string
  readonly model: string
  readonly provider: string
  readonly system: string
  /** The question is the last one. */
  readonly messages: readonly ModelMessage[]
  readonly ended: EndedReply
  readonly title: TitleCall | undefined
  /** Whether nothing is recorded but model, tokens, cost and times. The texts are then empty. */
  readonly isSealed: boolean
  readonly startedAt: Date
  readonly endedAt: Date
}

export const encodeTurnTask: Work<TurnFacts, EncodedBatch> = {
  name: 'encode a turn of the chat product',
}

/** The texts of a turn: what is masked. */
export function textsOf({ system, messages, ended, title }: TurnFacts): readonly string[] {
  const ofTitle = [title?.asked ?? '', title?.report.text ?? '']
  const problems = [ended.problem ?? '', title?.problem ?? '']
  const contents = messages.map(({ content }) => content)
  return [system, ended.content, ...ofTitle, ...problems, ...contents]
}

/** Also without tokens that begin in one message of the person and end in the next. */
function maskedTextsOf(facts: TurnFacts): readonly string[] {
  const messages = [...facts.messages]
  let before: number | undefined
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== 'user') continue
    if (before !== undefined) {
      const earlier = messages[before] as ModelMessage
      const [first, rest] = maskContinued(earlier.content, content)
      messages[before] = { ...earlier, content: first }
      messages[at] = { role, content: rest }
    }
    before = at
  }
  return maskBlocking(textsOf({ ...facts, messages }))
}

/** Without credentials and government identifiers. */
export function toTurnSpans(facts: TurnFacts): Span[] {
  const { ended, title, model, provider, endedAt, traceId, conversationId, messageId } = facts
  const texts = textsOf(facts)
  const masked = maskedTextsOf(facts)
  const [system = '', content = '', asked = '', titleText = '', , , ...contents] = masked
  // Providers quote messages, also in part, and write what they like.
  const isQuotable = masked.every((text, at) => text === texts[at])
  const problem = isQuotable ? problemOf(ended) : problemOf(withoutProblem(ended))
  const messages = facts.messages.map(({ role }, at) => ({ role, content: contents[at] ?? '' }))
  const common = {
    ...{ traceId, service: 'chat', model, provider },
    attributes: { conversation_id: conversationId, message_id: messageId },
  }
  const reply = callSpan({
    ...{ ...common, name: 'reply', system, messages, endedAt },
    ...{ report: { ...reportOf(facts), text: content }, problem },
  })
  const root = toRoot(reply, facts, { question: messages.at(-1), content })
  const inTurn = { parentSpanId: root.spanId, sessionId: root.sessionId, userId: root.userId }
  const spans = [root, { ...reply, ...inTurn }]
  if (facts.isSealed) return spans.map(withoutContent)
  if (title === undefined) return spans
  const titleSpan = callSpan({
    ...{ ...common, ...title, name: 'title', system: titleSystem },
    problem: isQuotable ? title.problem : title.problem && 'The title could not be written.',
    ...{ messages: [{ role: 'user', content: asked }] },
    report: { ...title.report, text: title.report.text === null ? null : titleText },
  })
  return [...spans, { ...titleSpan, ...inTurn }]
}

export function withoutProblem(ended: EndedReply): EndedReply {
  return { ...ended, problem: ended.problem === null ? null : 'The reply failed.' }
}

function withoutContent(span: Span): Span {
  return { ...span, body: { ...span.body, input: emptyObject, output: emptyObject } }
}

function problemOf({ status, problem }: EndedReply): string | undefined {
  return status === 'interrupted' ? 'The service stopped.' : (problem ?? undefined)
}

/** Of an aborted call, often nothing but its time is known. */
function reportOf({ ended, startedAt, endedAt }: TurnFacts): CallReport {
  const latencyMs = endedAt.getTime() - startedAt.getTime()
  const unknown = { attempts: 1, usage: noUsage, costUsd: null, stopReason: null, text: null }
  return ended.report ?? { ...unknown, latencyMs }
}

interface RootContent {
  readonly question: ModelMessage | undefined
  readonly content: string
}

/** The whole turn. What the model used counts in its calls. */
function toRoot(
  reply: Span,
  { conversationId, userId, startedAt, endedAt }: TurnFacts,
  { question, content }: RootContent,
): Span {
  const json = (value: unknown) => toStorableJson(toJsonText(value))
  const messages = question === undefined ? [] : [question]
  return {
    ...{ ...reply, ...noUsage, spanId: newSecret(8), name: 'chat', kind: 'agent' },
    ...{ model: null, provider: null, costUsd: null, costSource: 'unknown' },
    ...{ sessionId: conversationId, userId },
    ...{ latencyMs: endedAt.getTime() - startedAt.getTime() },
    startedAt: parseInstant(startedAt.toISOString()),
    endedAt: parseInstant(endedAt.toISOString()),
    body: {
      ...reply.body,
      input: json({ messages }),
      output: json({ messages: [{ role: 'assistant', content }] }),
    },
  }
}
