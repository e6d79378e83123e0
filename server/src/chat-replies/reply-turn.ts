import type { FinishReason } from '@assay/contract/chat-stream.ts'
import type { CallReport } from '../model-gateway/model-call.ts'
import type { ReplyPart } from '../model-gateway/reply-call.ts'

/*
 * What the writing of a reply needs, and what comes of it.
 */

/** A turn whose messages are stored, and whose reply is to be written. */
export interface PreparedTurn {
  readonly userId: string
  readonly conversationId: string
  /** The organization whose keys of the user it is sealed for; undefined: it is not sealed. */
  readonly sealedFor: string | undefined
  /** Of the reply. */
  readonly messageId: string
  readonly parentId: string
  readonly traceId: string
  readonly model: string
  /** Sentences that the reader gets first. */
  readonly notices: readonly string[]
  /** Calls the model. Must end soon after the signal aborts. */
  write(signal: AbortSignal): AsyncIterable<ReplyPart>
  /** Absent: the conversation has a title. Never rejects, and resolves soon after the signal aborts. */
  writeTitle?(signal: AbortSignal): Promise<string>
  /** Keeps others from taking the reply for interrupted, and stores the text so far. False: the reply is to stop. */
  renew(text: ReplyText): Promise<boolean>
  /** Of a sealed reply. False: keys that it is sealed for were taken away, and it is to stop. */
  hasKeys?(): Promise<boolean>
  /** Stores the reply. */
  finish(ended: EndedReply): Promise<void>
}

export interface ReplyText {
  readonly content: string
  readonly reasoning: string
}

export interface EndedReply extends ReplyText {
  readonly status: 'complete' | 'aborted' | 'interrupted' | 'failed'
  readonly finishReason: FinishReason | null
  /** A sentence for users. */
  readonly problem: string | null
  /** Undefined if nothing is known about the call. */
  readonly report: CallReport | undefined
}
