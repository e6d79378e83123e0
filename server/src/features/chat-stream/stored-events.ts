import type { ChatEvent } from '@assay/contract/chat-stream.ts'
import { openEventList } from '../../chat-replies/event-list.ts'
import { appendEnd, appendUsage } from '../../chat-replies/reply-events.ts'
import type { OwnedReply } from '../../storage/accounts/chat-turn-store.ts'

/*
 * The events of a reply that has ended, as its first reader got them.
 */

const sealedProblem = 'The reply failed. Open the conversation to see why.'

export function readStored(reply: OwnedReply, signal: AbortSignal): AsyncIterable<ChatEvent> {
  const events = openEventList()
  const { id, conversation_id, parent_id, model, trace_id, content, reasoning, epoch } = reply
  events.append({
    ...{ type: 'start', conversation_id, message_id: id, parent_id: parent_id ?? '' },
    ...{ model: model ?? '', trace_id: trace_id ?? '' },
  })
  for (const message of JSON.parse(reply.notices) as string[])
    events.append({ type: 'notice', message })
  if (epoch !== null && content !== '') events.append({ type: 'sealed', epoch, sealed: content })
  else {
    if (reasoning !== '') events.append({ type: 'reasoning', delta: reasoning })
    if (content !== '') events.append({ type: 'text', delta: content })
  }
  const status = reply.status === 'streaming' ? 'interrupted' : reply.status
  const { tokens_in: tokensIn, tokens_out: tokensOut, cost_nano_usd: cost } = reply
  const costUsd = cost === null ? null : cost / 1e9
  appendUsage({ status, tokensIn, tokensOut, costUsd }, events)
  const { finish_reason: finishReason } = reply
  const problem = reply.problem ?? (epoch !== null && status === 'failed' ? sealedProblem : null)
  appendEnd({ status, finishReason, problem }, { messageId: id }, events)
  events.close()
  return events.read(signal)
}
