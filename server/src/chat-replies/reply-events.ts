import type { EventList } from './event-list.ts'
import type { EndedReply } from './reply-turn.ts'

/*
 * The last events of a reply, while it is written or when it is stored.
 */

export interface ReplyUsage extends Pick<EndedReply, 'status'> {
  readonly tokensIn: number | null
  readonly tokensOut: number | null
  readonly costUsd: number | null
}

/** Of a reply that did not complete, only if it is known. */
export function appendUsage(
  { status, tokensIn, tokensOut, costUsd }: ReplyUsage,
  events: Pick<EventList, 'append'>,
): void {
  if (status !== 'complete' && (tokensIn ?? tokensOut) === null) return
  const tokens = { tokens_in: tokensIn, tokens_out: tokensOut }
  events.append({ type: 'usage', ...tokens, cost_usd: costUsd })
}

export function appendEnd(
  { status, finishReason, problem }: Pick<EndedReply, 'status' | 'finishReason' | 'problem'>,
  { messageId }: { readonly messageId: string },
  events: Pick<EventList, 'append'>,
): void {
  if (status === 'interrupted') {
    events.append({ type: 'error', message: 'The service stopped before the reply was complete.' })
  }
  if (problem !== null) events.append({ type: 'error', message: problem })
  if (finishReason !== null) {
    events.append({ type: 'done', message_id: messageId, finish_reason: finishReason })
  }
}
