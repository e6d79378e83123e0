import type { modelCallErrors } from '@assay/contract/model-configs.ts'
import type { z } from 'zod'
import type { Usage } from '../domain/span.ts'

/*
 * The input and output of a call of a model.
 */

export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface ModelCall {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly maxOutputTokens: number
  /** Default: 0. Models that accept no temperature get none. */
  readonly temperature?: number
  /** Closes the connection; the call then rejects with its reason. */
  readonly signal: AbortSignal
  /**
   * Milliseconds since 1970, for the call and the wait for its turn. The call itself never takes longer than the limit
   * of the gateway; without a deadline, neither does the wait.
   */
  readonly deadline?: number
}

export interface StructuredCall<Value> extends ModelCall {
  /**
   * An object whose members are all required and that has no records: providers with strict schemas accept nothing
   * else. Use nullable for what may be missing.
   */
  readonly schema: z.ZodType<Value>
}

/** What is known about a call, whether it succeeded or not. */
export interface CallReport {
  /** Requests that were sent: 0 to 2. */
  readonly attempts: number
  /** Of all attempts, without the wait for a turn. */
  readonly latencyMs: number
  readonly usage: Usage
  /** Null without usage, or without a price for the model. */
  readonly costUsd: number | null
  /** `stop`, `length`, `content-filter`, `tool-calls` or another word; null without a response. */
  readonly stopReason: string | null
  /** The response as the model wrote it; of a structured one, its JSON. */
  readonly text: string | null
}

export interface ModelAnswer<Value> extends CallReport {
  readonly value: Value
}

/**
 * `refused`: by the model or a content filter. `invalid_output`: not in the requested form. `budget`: the allowance is
 * used up.
 */
export type CallErrorKind = (typeof modelCallErrors)[number]

/** A call without an answer. The message is for users, and contains neither the key nor the prompt. */
export class ModelCallError extends Error {
  readonly kind: CallErrorKind
  /** Of the provider's response. */
  readonly status: number | null
  readonly report: CallReport

  constructor(
    kind: CallErrorKind,
    message: string,
    { status = null, report }: { readonly status?: number | null; readonly report: CallReport },
  ) {
    super(message)
    this.name = 'ModelCallError'
    this.kind = kind
    this.status = status
    this.report = report
  }
}
