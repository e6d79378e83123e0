import type { Instant } from './instant.ts'
import type { JsonText } from './json-text.ts'

/*
 * A score: a rating of a trace or a span by an evaluator, a person or the sender.
 */

export type ScoreSource = 'evaluator' | 'person' | 'sender'

/** Only the value of a `scored` score counts. */
export type ScoreStatus = 'scored' | 'not_applicable' | 'error'

export type EvalType = 'offline_deterministic' | 'model_judge'

export interface Score {
  /** Unique within its trace. */
  readonly id: string
  readonly traceId: string
  /** Null for a score of the whole trace. */
  readonly spanId: string | null
  /** The name of the evaluator, or a person's label. */
  readonly name: string
  readonly evaluatorId: string | null
  /** The evaluation run that produced it. */
  readonly runId: string | null
  readonly source: ScoreSource
  readonly authorId: string | null
  readonly status: ScoreStatus
  /** 0 to 1, where 1 is always good. */
  readonly value: number
  readonly passed: boolean
  readonly reasoning: string
  readonly evalType: EvalType | null
  readonly tokensIn: number | null
  readonly tokensOut: number | null
  readonly costUsd: number | null
  readonly latencyMs: number | null
  /** An object: criteria, issues, evidence. */
  readonly details: JsonText
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
