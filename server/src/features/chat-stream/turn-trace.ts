import { maskTexts } from '../../chat-content/mask-texts.ts'
import type { EndedReply } from '../../chat-replies/reply-turn.ts'
import { parseInstant } from '../../domain/instant.ts'
import { emptyObject, toJsonText, toStorableJson } from '../../domain/json-text.ts'
import { noUsage, type Span, type TraceLabels } from '../../domain/span.ts'
import { callSpan } from '../../model-gateway/call-span.ts'
import type { CallReport, ModelMessage } from '../../model-gateway/model-call.ts'
import { newSecret } from '../../platform/ids.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import type { CheckedTurn, StoredTurn } from './store-turn.ts'
import type { TurnContext } from './turn-context.ts'
import type { TurnRequest } from './turn-request.ts'
import { type TitleCall, titleSystem } from './write-title.ts'

/*
 * Records a turn as a trace in its project: the calls of the reply and of its title. Without credentials and government
 * identifiers, also those that their sender approved.
 */

export interface RecordedTurn {
  readonly request: TurnRequest
  readonly checked: CheckedTurn
  readonly stored: StoredTurn
  readonly startedAt: Date
  readonly ended: EndedReply
  readonly title: TitleCall | undefined
}

type Ports = Pick<ChatStreamPorts, 'accounts' | 'telemetry' | 'ingestWorkers' | 'clock' | 'log'>

/** A turn that cannot be recorded is logged. Of a project that was removed meanwhile, nothing is stored. */
export async function recordTurn(turn: RecordedTurn, ports: Ports): Promise<void> {
  const { organizationId, projectId, user } = turn.request.member
  try {
    const access = await ports.accounts.memberships.findProjectAccess(projectId, user.id)
    if (access === undefined) return
    const spans = await toSpans(turn, ports)
    const encoded = ports.telemetry.encode(spans)
    const labels: TraceLabels = {
      ...{ rootName: 'chat', environment: null, mode: 'live', tags: [] },
      ...{ sessionId: turn.stored.conversationId, userId: user.id },
    }
    await ports.telemetry.record({
      ...{ projectId, organizationId, source: 'json', spans: encoded, labels },
    })
  } catch (error) {
    ports.log.error('a turn of a conversation could not be recorded', error, { projectId })
  }
}

async function toSpans(turn: RecordedTurn, ports: Ports): Promise<Span[]> {
  const { request, checked, stored, title } = turn
  const ended = withoutSealed(turn.ended, checked)
  const { system, messages } = contentOf(checked)
  const texts = [
    ...[system, ended.content, title?.asked ?? '', title?.report.text ?? ''],
    ...messages.map(({ content }) => content),
  ]
  const { organizationId, user } = request.member
  const masked = await maskTexts(texts, [organizationId, user.id], ports.ingestWorkers)
  const [maskedSystem = '', content = '', asked = '', titleText = '', ...contents] = masked
  // Providers quote messages, also in part.
  const isQuotable = masked.every((text, at) => text === texts[at])
  const problem = isQuotable ? problemOf(ended) : problemOf(withoutProblem(ended))
  const sent = messages.map(({ role }, at) => ({ role, content: contents[at] ?? '' }))
  const { model, provider } = checked.found.model
  const endedAt = ports.clock.now()
  const traceId = stored.reply.trace_id ?? ''
  const common = {
    ...{ traceId, service: 'chat', model, provider },
    attributes: { conversation_id: stored.conversationId, message_id: stored.reply.id },
  }
  const reply = callSpan({
    ...{ ...common, name: 'reply', system: maskedSystem, messages: sent, endedAt },
    ...{ report: { ...reportOf(turn, endedAt), text: content }, problem },
  })
  const root = toRoot(reply, turn, { question: sent.at(-1), content, endedAt })
  const inTurn = { parentSpanId: root.spanId, sessionId: root.sessionId, userId: root.userId }
  const spans = [root, { ...reply, ...inTurn }]
  if (checked.mailbox !== undefined) return spans.map(withoutContent)
  if (title === undefined) return spans
  const titleSpan = callSpan({
    ...{ ...common, ...title, name: 'title', system: titleSystem },
    problem: isQuotable ? title.problem : title.problem && 'The title could not be written.',
    ...{ messages: [{ role: 'user', content: asked }] },
    report: { ...title.report, text: title.report.text === null ? null : titleText },
  })
  return [...spans, { ...titleSpan, ...inTurn }]
}

/** Nothing of an encrypted conversation is recorded but model, tokens, cost and times. */
function contentOf({ mailbox, context }: CheckedTurn): Pick<TurnContext, 'system' | 'messages'> {
  return mailbox === undefined ? context : { system: '', messages: [] }
}

function withoutSealed(ended: EndedReply, { mailbox }: CheckedTurn): EndedReply {
  if (mailbox === undefined) return ended
  return { ...withoutProblem(ended), content: '', reasoning: '' }
}

function withoutProblem(ended: EndedReply): EndedReply {
  return { ...ended, problem: ended.problem === null ? null : 'The reply failed.' }
}

function withoutContent(span: Span): Span {
  return { ...span, body: { ...span.body, input: emptyObject, output: emptyObject } }
}

function problemOf({ status, problem }: EndedReply): string | undefined {
  return status === 'interrupted' ? 'The service stopped.' : (problem ?? undefined)
}

/** Of an aborted call, often nothing but its time is known. */
function reportOf({ ended, startedAt }: RecordedTurn, endedAt: Date): CallReport {
  const latencyMs = endedAt.getTime() - startedAt.getTime()
  const unknown = { attempts: 1, usage: noUsage, costUsd: null, stopReason: null, text: null }
  return ended.report ?? { ...unknown, latencyMs }
}

interface RootFacts {
  readonly question: ModelMessage | undefined
  readonly content: string
  readonly endedAt: Date
}

/** The whole turn. What the model used counts in its calls. */
function toRoot(
  reply: Span,
  { request, stored, startedAt }: RecordedTurn,
  { question, content, endedAt }: RootFacts,
): Span {
  const json = (value: unknown) => toStorableJson(toJsonText(value))
  const messages = question === undefined ? [] : [question]
  return {
    ...{ ...reply, ...noUsage, spanId: newSecret(8), name: 'chat', kind: 'agent' },
    ...{ model: null, provider: null, costUsd: null, costSource: 'unknown' },
    ...{ sessionId: stored.conversationId, userId: request.member.user.id },
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
