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

/** What a model may call. */
export interface ToolDefinition {
  /** 1 to 64 letters, digits, hyphens or underscores, and unique: providers accept nothing else. */
  readonly name: string
  readonly description: string
  /** The JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A call of a tool that a model requests. */
export interface RequestedCall {
  readonly id: string
  readonly name: string
  /** As the model wrote them. */
  readonly argumentsText: string
  /** Undefined if they are not a JSON object. */
  readonly input: Readonly<Record<string, unknown>> | undefined
  /** Of the provider; opaque. */
  readonly providerData?: object
}

export interface ToolResult {
  readonly callId: string
  /** Of the tool. */
  readonly name: string
  readonly text: string
  readonly isError?: boolean
}

/** A message of a conversation with tools. */
export type AgentMessage =
  | { readonly role: 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly calls?: readonly RequestedCall[]
    }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

export interface AgentReply {
  readonly text: string
  /** Their results are the next message; without any, it is the user's turn. */
  readonly calls: readonly RequestedCall[]
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
  /** Of a long answer, instead of the limit of the gateway. */
  readonly maxMs?: number
}

export interface StructuredCall<Value> extends ModelCall {
  /**
   * An object whose members are all required and that has no records: providers with strict schemas accept nothing
   * else. Use nullable for what may be missing.
   */
  readonly schema: z.ZodType<Value>
}

/** A call of an agent: the model answers, or requests calls of tools. */
export interface AgentCall extends Omit<ModelCall, 'messages'> {
  readonly messages: readonly AgentMessage[]
  readonly tools: readonly ToolDefinition[]
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
