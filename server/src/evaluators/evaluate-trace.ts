import type { TraceView } from '../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator, EvaluationContext, Verdict } from './evaluator.ts'

/** Of one evaluator on one trace. */
export interface TraceVerdict {
  readonly key: string
  readonly verdict: Verdict | Failed
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
  evaluators: readonly DeterministicEvaluator[],
  context: EvaluationContext,
): readonly TraceVerdict[] {
  return evaluators.map((evaluator) => {
    const startedAt = performance.now()
    const verdict = evaluateOne(trace, evaluator, context)
    return { key: evaluator.key, verdict, latencyMs: performance.now() - startedAt }
  })
}

function evaluateOne(
  trace: TraceView,
  evaluator: DeterministicEvaluator,
  context: EvaluationContext,
): Verdict | Failed {
  if (trace.spans.length === 0) return { status: 'error', reasoning: 'The trace has no spans.' }
  try {
    return evaluator.evaluate(trace, context)
  } catch (error) {
    const defect = error instanceof Error ? error : new Error(String(error))
    return { status: 'error', reasoning: 'The evaluator failed.', defect }
  }
}
