/*
 * What detection reports about a text.
 */

export type Category = 'credential' | 'government_id' | 'contact' | 'financial'

export interface Finding {
  readonly category: Category
  /** The kind within the category, for example `github_token` or `us_ssn`. */
  readonly type: string
  /** UTF-16 offsets into the text that was searched. */
  readonly start: number
  readonly end: number
  /** Safe to store and show: at most the public prefix, separators and the last two characters of the value. */
  readonly preview: string
  /** From 0 to 1. */
  readonly confidence: number
  /** Whether a chat message with this finding is held back. Contact and financial data never block. */
  readonly blocks: boolean
}
