import type { ChatAttachment } from '@assay/contract/chat-attachments.ts'
import type { ChatFinding } from '@assay/contract/chat-scan.ts'
import type { ApiError } from '@assay/contract/client.ts'
import type { ConversationMessage } from '@assay/contract/conversations.ts'
import type { ReplySource } from './follow-reply.ts'
import type { LiveReply } from './live-reply.ts'
import type { MessageTree } from './message-tree.ts'

/*
 * What a conversation that a page shows consists of, and what it needs from its surroundings.
 */

export type MessageAttachment = ConversationMessage['attachments'][number]

/** With its text and findings, if it was uploaded in this tab. */
export type UploadedAttachment = MessageAttachment &
  Partial<Pick<ChatAttachment, 'text' | 'findings'>>

/** What a person sends. */
export interface SentMessage {
  readonly text: string
  readonly attachments: readonly UploadedAttachment[]
  /** The message that it follows; null for the beginning of the conversation. */
  readonly parentId: string | null
  /** The message that it is another version of. */
  readonly editedId?: string | undefined
  /** Whether it may begin a branch beside messages that the service has after `parentId`, as another version may. */
  readonly isBranch?: boolean
  readonly modelConfigId: string | undefined
}

/** What the editor of a message begins with. */
export type EditDraft = Pick<SentMessage, 'text' | 'attachments'>

/** A request for a reply: to a new message, or another one to a message of the conversation. */
export interface Turn {
  readonly conversationId: string | undefined
  /** Of this request and its repetitions. */
  readonly clientMessageId: string
  readonly parentId: string | null
  /** Absent for another reply to `parentId`. */
  readonly message: SentMessage | undefined
  readonly modelConfigId: string | undefined
  readonly isOverride: boolean
}

/** A request that was held back because of what its message or context contains. */
export interface HeldTurn {
  readonly turn: Turn
  readonly findings: readonly ChatFinding[]
}

export interface RefusedTurn {
  readonly error: ApiError
  readonly turn: Turn
}

export interface ThreadState {
  /** Undefined until the first message was accepted. */
  readonly conversationId: string | undefined
  readonly tree: MessageTree
  /** The version of a message that the person has stepped to, and the direction: 1 or -1. */
  readonly steppedTo: { readonly id: string; readonly step: number } | undefined
  /** The replies that are being written, by id. */
  readonly live: ReadonlyMap<string, LiveReply>
  /** Ids of replies that are being stopped. */
  readonly stopping: ReadonlySet<string>
  /** Of replies that were read here, by id. */
  readonly notices: ReadonlyMap<string, readonly string[]>
  /** The messages that are being edited, by id. */
  readonly edits: ReadonlyMap<string, EditDraft>
  /** Ids of long messages that are shown whole. */
  readonly expanded: ReadonlySet<string>
  readonly held: HeldTurn | undefined
  readonly refused: RefusedTurn | undefined
}

export interface StoredConversation {
  readonly id: string
  readonly selected_message_id: string | null
  readonly messages: readonly ConversationMessage[]
}

export interface ThreadPorts extends ReplySource {
  readonly send: (turn: Turn, signal: AbortSignal) => ReturnType<ReplySource['join']>
  readonly stop: (messageId: string) => Promise<unknown>
  /** Remembers the branch that is shown. */
  readonly select: (conversationId: string, messageId: string) => Promise<unknown>
  readonly newId: () => string
  readonly nowMs: () => number
  readonly nextFrame: (act: () => void) => void
  /** Pages come and go within this time when the address changes. */
  readonly leaveAfterMs: number
  /** The first message of a new conversation was accepted. */
  readonly onBegin: (conversationId: string) => void
  readonly onTitle: (conversationId: string, title: string) => void
  /** A reply has ended. */
  readonly onEnd: (conversationId: string) => void
  /** No page is attached any more, and nothing is read. */
  readonly onLeave: (conversationId: string) => void
}
