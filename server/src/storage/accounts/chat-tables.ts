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
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
}
