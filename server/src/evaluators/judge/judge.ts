import type { SpanText, TraceView } from '../../domain/trace-view/trace-view.ts'
import type { BuiltIn, NotApplicable } from '../evaluator.ts'

/*
 * Evaluators that ask a model. The model gives a verdict on each of a few fixed questions; the score is computed here.
 */

export interface JudgedEvaluator extends BuiltIn {
  /** What the judge is to pay attention to, beyond the rules that hold for all judges. */
  readonly instructions: string
  /** What the judge reads and decides, or why the evaluator does not apply. */
  readonly prepare: (trace: TraceView) => JudgeTask | NotApplicable
}

/** A question that `yes` is the good answer to. */
export interface Criterion {
  readonly id: string
  readonly question: string
  /** 1 by default. */
  readonly weight?: number
}

export interface JudgeTask {
  readonly instructions: string
  /** Empty: the judge lists what it judges itself, such as the claims of an answer. */
  readonly criteria: readonly Criterion[]
  readonly blocks: readonly Block[]
}

/** Data that is judged, in parts that name their span, so that quotes can be checked. */
export interface Block {
  /** Of letters: `answer`. */
  readonly name: string
  readonly segments: readonly Segment[]
}

export interface Segment extends SpanText {
  /** What the text is: `result of find:`. Not part of the span, so it cannot be quoted. */
  readonly title?: string
}
