import type { TraceView } from '../domain/trace-view/trace-view.ts'
import { withoutData } from '../platform/error-without-data.ts'
import type { DeterministicEvaluator, EvaluationContext, Verdict } from './evaluator.ts'
import { newNonce } from './judge/fenced-data.ts'
import type { JudgedEvaluator } from './judge/judge.ts'
import { type PreparedTask, prepareTask } from './judge/judge-prompt.ts'
import { prepareTemplate, type WithoutValue } from './judge/template-judge.ts'

/** What to run: one that is built in, or the template of one of an organization. */
export type Runnable = DeterministicEvaluator | JudgedEvaluator | { readonly template: string }

/** Of one evaluator on one trace. */
export interface TraceVerdict {
  /** A task is for a judge to decide. */
  readonly verdict: Verdict | WithoutValue | Failed | PreparedTask
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
    if ('evaluate' in evaluator) return evaluator.evaluate(trace, context)
    const task =
      'template' in evaluator
        ? prepareTemplate(evaluator.template, trace)
        : evaluator.prepare(trace)
    return 'status' in task ? task : prepareTask(task, newNonce())
  } catch (error) {
    return { status: 'error', reasoning: 'The evaluator failed.', defect: withoutData(error) }
  }
}
