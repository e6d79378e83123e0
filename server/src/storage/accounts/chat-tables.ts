import type { FinishReason } from '@assay/contract/chat-stream.ts'
import type { Flag, Timestamp } from './column-types.ts'

/*
 * The tables of the chat product.
 */

export interface ChatAttachmentRow {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly extension: string
  /** Of the file, in bytes. */
  readonly size: number
  /** The length of `text`. */
  readonly chars: number
  readonly text: string
  readonly truncated: Flag
  readonly pages: number | null
  /** A JSON list of sentences. */
  readonly notes: string
  /** A JSON list. */
  readonly findings: string
  /** Whether a message with it is held back. */
  readonly blocked: Flag
  /** Of the user that has it; null: no message has it yet. */
  readonly message_id: string | null
  readonly created_at: Timestamp
  /** Null with a message: it then lasts as long as that. */
  readonly expires_at: Timestamp | null
}

export interface ConversationRow {
  readonly id: string
  readonly project_id: string
  readonly user_id: string
  /** Empty until its first message has one; encrypted ones have `sealed_title`. */
  readonly title: string
  /** For searches. */
  readonly lower_title: string
  readonly encrypted: Flag
  /** JSON: `{ epoch, sealed }`. */
  readonly sealed_title: string | null
  readonly message_count: number
  /** Of its messages and their attachments, in characters. */
  readonly text_length: number
  readonly selected_message_id: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  /** Of a removed one: when it can no longer be restored. */
  readonly expires_at: Timestamp | null
}

export interface ChatMessageRow {
  readonly id: string
  readonly conversation_id: string
  readonly parent_id: string | null
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly reasoning: string
  /** The epoch of the mailbox that `content` and `reasoning` are sealed for; null: they are plain text. */
  readonly epoch: number | null
  /** `streaming` only while `running_until` is in the future: afterwards, the reply was interrupted. */
  readonly status: 'complete' | 'streaming' | 'aborted' | 'interrupted' | 'failed'
  readonly running_until: Timestamp | null
  /** Set to stop a reply that another process writes. */
  readonly is_stopped: Flag
  readonly finish_reason: FinishReason | null
  /** A sentence for users: why it failed. */
  readonly problem: string | null
  /** A JSON list of sentences: what `notice` events reported. */
  readonly notices: string
  readonly model: string | null
  readonly model_config_id: string | null
  readonly tokens_in: number | null
  readonly tokens_out: number | null
  readonly cost_nano_usd: number | null
  readonly trace_id: string | null
  /** The client's id, with the conversation or project that it counts in; of messages of users. */
  readonly client_key: string | null
  readonly created_at: Timestamp
}

/** What somebody sent in a conversation although it was held back. */
export interface ChatApprovalRow {
  readonly conversation_id: string
  /** HMAC-SHA256 of the value, with a key of the service. */
  readonly hash: string
}

/** A time in an encrypted conversation with its own mailbox. */
export interface ConversationEpochRow {
  readonly conversation_id: string
  /** From 1, without gaps. */
  readonly epoch: number
  readonly mailbox_pub: string
  /** The position of the user's chain of key statements when it began. */
  readonly chain_seq: number
  readonly created_at: Timestamp
}

/** The private half of a mailbox, sealed for a device or recovery key. */
export interface ConversationKeyRow {
  readonly conversation_id: string
  readonly epoch: number
  readonly device: string
  /** The key of the device that it is sealed for. Null: it was stored before that was recorded. */
  readonly kem_pub: string | null
  readonly enc: string
  readonly sealed: string
}
