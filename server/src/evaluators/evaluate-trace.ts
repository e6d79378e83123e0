import type { TraceView } from '../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator, EvaluationContext, Verdict } from './evaluator.ts'
import type { JudgedEvaluator, JudgeTask } from './judge/judge.ts'
import { prepareTemplate } from './judge/template-judge.ts'

/** What to run: one that is built in, or the template of one of an organization. */
export type Runnable = DeterministicEvaluator | JudgedEvaluator | { readonly template: string }

/** Of one evaluator on one trace. */
export interface TraceVerdict {
  /** A task is for a judge to decide. */
  readonly verdict: Verdict | Failed | JudgeTask
  /** Of the thread's time. */
  readonly latencyMs: number
}

/** The evaluator has a defect, or took too long. */
export interface Failed {
  readonly status: 'error'
  readonly reasoning: string
  readonly defect?: Error
}

/** One verdict for each evaluator, in their order. A defect in one does not affect the others. */
export function evaluateTrace(
  trace: TraceView,
  evaluators: readonly Runnable[],
  context: EvaluationContext,
): readonly TraceVerdict[] {
  return evaluators.map((evaluator) => {
    const startedAt = performance.now()
    const verdict = evaluateOne(trace, evaluator, context)
    return { verdict, latencyMs: performance.now() - startedAt }
  })
}

function evaluateOne(
  trace: TraceView,
  evaluator: Runnable,
  context: EvaluationContext,
): TraceVerdict['verdict'] {
  if (trace.spans.length === 0) return { status: 'error', reasoning: 'The trace has no spans.' }
  try {
    if ('template' in evaluator) return prepareTemplate(evaluator.template, trace)
    return 'prepare' in evaluator ? evaluator.prepare(trace) : evaluator.evaluate(trace, context)
  } catch (error) {
    const defect = error instanceof Error ? error : new Error(String(error))
    return { status: 'error', reasoning: 'The evaluator failed.', defect }
  }
}
