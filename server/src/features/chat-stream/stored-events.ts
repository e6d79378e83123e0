import type { ChatEvent } from '@assay/contract/chat-stream.ts'
import type { NewChatEvent } from '../../chat-replies/event-list.ts'
import { appendEnd, appendUsage } from '../../chat-replies/reply-events.ts'
import type { OwnedReply } from '../../storage/accounts/chat-turn-store.ts'

/*
 * The events of a reply from its row: all at once when it has ended, or as the process that writes it stores more.
 */

const sealedProblem = 'The reply failed. Open the conversation to see why.'

export interface StoredEvents {
  /** Those that the row adds to what was returned before. The last ones, unless the reply is being written. */
  next(reply: OwnedReply, isRunning: boolean): readonly ChatEvent[]
}

export function openStoredEvents(): StoredEvents {
  let seq = 0
  const sent = { reasoning: 0, text: 0 }
  return {
    next(reply, isRunning) {
      const added: ChatEvent[] = []
      const append = (event: NewChatEvent) => added.push({ ...event, seq: seq++ })
      const grow = (type: 'reasoning' | 'text', stored: string) => {
        const delta = wholePart(stored, isRunning).slice(sent[type])
        if (delta !== '') append({ type, delta })
        sent[type] += delta.length
      }
      const { content, reasoning, epoch } = reply
      if (seq === 0) appendStart(reply, append)
      if (epoch === null) {
        grow('reasoning', reasoning)
        grow('text', content)
      } else if (!isRunning && content !== '') append({ type: 'sealed', epoch, sealed: content })
      if (!isRunning) appendLast(reply, append)
      return added
    },
  }
}

/** Half of a character at the end of what was written is stored as this, until the other half has come. */
function wholePart(stored: string, isRunning: boolean): string {
  return isRunning && stored.endsWith('\uFFFD') ? stored.slice(0, -1) : stored
}

type Append = (event: NewChatEvent) => void

function appendStart(reply: OwnedReply, append: Append): void {
  const { id, conversation_id, parent_id, model, trace_id } = reply
  append({
    ...{ type: 'start', conversation_id, message_id: id, parent_id: parent_id ?? '' },
    ...{ model: model ?? '', trace_id: trace_id ?? '' },
  })
  for (const message of JSON.parse(reply.notices) as string[]) append({ type: 'notice', message })
}

function appendLast(reply: OwnedReply, append: Append): void {
  const { id, epoch, tokens_in: tokensIn, tokens_out: tokensOut, cost_nano_usd: cost } = reply
  const status = reply.status === 'streaming' ? 'interrupted' : reply.status
  const costUsd = cost === null ? null : cost / 1e9
  appendUsage({ status, tokensIn, tokensOut, costUsd }, { append })
  const { finish_reason: finishReason } = reply
  const problem = reply.problem ?? (epoch !== null && status === 'failed' ? sealedProblem : null)
  appendEnd({ status, finishReason, problem }, { messageId: id }, { append })
}
