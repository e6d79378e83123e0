import type { EvaluatorCategory } from '@assay/contract/evaluators.ts'
import type { TraceView } from '../domain/trace-view/trace-view.ts'

/*
 * What a built-in evaluator is. Each has its own file; catalogue.ts lists them.
 */

/** What an evaluator reads of a trace, for the catalogue. */
export type Reads =
  | 'input'
  | 'output'
  | 'system prompt'
  | 'messages'
  | 'model calls'
  | 'tool calls'
  | 'tool definitions'
  | 'retrieved items'
  | 'memory operations'
  | 'errors'
  | 'timing'
  | 'tokens and cost'
  | `eval.${string}`

export interface BuiltIn {
  /** Stable: results and collections refer to it. `quality.output-present`. */
  readonly key: `${EvaluatorCategory}.${string}`
  readonly name: string
  /** What it checks, when it does not apply, and what it reads from the trace; in full sentences. */
  readonly description: string
  /** A result passes with this score or a higher one. */
  readonly threshold: number
  /** `gate`: precise enough to block a release. `warn`: its precision or recall is limited. */
  readonly use: 'gate' | 'warn'
  readonly reads: readonly Reads[]
}

/** Needs no model. The same trace always has the same verdict. */
export interface DeterministicEvaluator extends BuiltIn {
  readonly evaluate: (trace: TraceView, context: EvaluationContext) => Verdict
}

export interface EvaluationContext {
  /** Other traces of the project with one of its `eval:pair` tags, oldest first. */
  readonly siblings: readonly TraceView[]
}

export type Verdict = Scored | NotApplicable

export interface Scored {
  readonly status: 'scored'
  /** 0 to 1, where 1 is always good. */
  readonly score: number
  /** One or two sentences that quote the trace. */
  readonly reasoning: string
  /** What is wrong, one sentence each, worst first. */
  readonly issues: readonly string[]
  readonly evidence: readonly Evidence[]
}

export interface NotApplicable {
  readonly status: 'not_applicable'
  /** A sentence: what the trace lacks. */
  readonly reasoning: string
}

export interface Evidence {
  readonly spanId: string
  /** A part of a text of the span. */
  readonly quote: string
}
