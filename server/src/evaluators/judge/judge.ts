import type { SpanText, TraceView } from '../../domain/trace-view/trace-view.ts'
import type { BuiltIn, Evidence, Verdict } from '../evaluator.ts'

/*
 * Evaluators that ask a model. The model gives a verdict on each of a few fixed questions; the score is computed here.
 */

export interface JudgedEvaluator extends BuiltIn {
  /** What the judge is to pay attention to, beyond the rules that hold for all judges. */
  readonly instructions: string
  /** What the judge reads and decides; or the verdict, where none is needed. */
  readonly prepare: (trace: TraceView) => JudgeTask | Verdict
}

/** A question that `yes` is the good answer to. Never contains text of the trace. */
export interface Criterion {
  readonly id: string
  readonly question: string
  /** 1 by default. */
  readonly weight?: number
  /** Groups criteria for scoring by parts. */
  readonly part?: string
  /** What results show in place of the question, for one about a text of the trace. */
  readonly subject?: string
}

/**
 * `mean`: of the criteria that apply, by weight. `lowest_part`: the lowest mean of a part; a criterion without a part is
 * one of its own. `average_precision`: of the criteria of a part in their order; the mean of the parts.
 */
export type Scoring = 'mean' | 'lowest_part' | 'average_precision'

/** Plain data, because it passes between threads. */
export interface JudgeTask {
  readonly instructions: string
  /** Empty: the judge lists what it judges itself, such as the claims of an answer. */
  readonly criteria: readonly Criterion[]
  readonly blocks: readonly Block[]
  /** `mean` by default. */
  readonly scoring?: Scoring
  /** Verdicts that need no judge. They count like the others. */
  readonly decided?: readonly Decision[]
  /** The blocks that a `yes` needs a quote from. One without counts as `no`. */
  readonly proofFrom?: readonly string[]
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

/** A verdict on one criterion. */
export interface Decision {
  readonly criterion: Criterion
  /** 0 to 1; null: not applicable. */
  readonly value: number | null
  /** Quotes that occur in the data of their span. */
  readonly evidence: readonly Evidence[]
  /** Whether quotes prove it: a `no` needs any, a `yes` one from a block of `proofFrom`. */
  readonly isProven: boolean
}
