import type { CallReport, ModelMessage } from './model-call.ts'

/*
 * The input and output of a reply: a call of a model whose text is read while the model writes it.
 */

export interface ReplyCall {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** Undefined: the provider's own limit. */
  readonly maxOutputTokens: number | undefined
  /** Closes the connection; the reply then throws its reason. */
  readonly signal: AbortSignal
  /** Gets what is known of a reply that has begun and is aborted: it rejects with the reason of the signal. */
  readonly onAbort?: (report: CallReport) => void
  /** The only limit of time: the model may be silent for long. */
  readonly maxMs: number
}

export type ReplyPart =
  /** Not empty. */
  | { readonly type: 'text' | 'reasoning'; readonly delta: string }
  /** Exactly once, last. The report has no text: that is in the parts. */
  | {
      readonly type: 'end'
      readonly report: CallReport
      readonly finish: 'stop' | 'length' | 'filter'
    }
