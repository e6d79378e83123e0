import {
  buildTraceView,
  type ReadSpan,
  type ViewedTrace,
} from '../../domain/trace-view/build-trace-view.ts'
import type { TraceView } from '../../domain/trace-view/trace-view.ts'
import { builtInEvaluators } from '../../evaluators/catalogue.ts'
import { evaluateTrace, type Runnable, type TraceVerdict } from '../../evaluators/evaluate-trace.ts'
import { serveCalls } from '../../platform/deadline-process.ts'
import { runBelowMainThread } from '../../platform/thread-priority.ts'

/*
 * The entry point of the process that runs evaluators: traces are large, and their content is untrusted.
 */

/** A trace and its spans in the JSON of the API, a list for each page. */
export interface SerializedTrace {
  readonly trace: ViewedTrace
  readonly pages: readonly Uint8Array<ArrayBuffer>[]
}

export interface EvaluationTask extends SerializedTrace {
  /** In the order of the results. */
  readonly evaluators: readonly ChosenEvaluator[]
  readonly siblings: readonly SerializedTrace[]
}

/** The key of one that is built in, or the template of one that is not. */
export type ChosenEvaluator = { readonly key: string } | { readonly template: string }

const byKey = new Map<string, Runnable>(builtInEvaluators.map((one) => [one.key, one]))
const decoder = new TextDecoder()

runBelowMainThread()
serveCalls(async (task: EvaluationTask): Promise<readonly TraceVerdict[]> => {
  const evaluators = task.evaluators.map((chosen) =>
    'template' in chosen ? chosen : findBuiltIn(chosen.key),
  )
  let siblings: readonly TraceView[] | undefined
  return evaluateTrace(toView(task), evaluators, {
    // Built for evaluators that read them only: they take as much memory as the trace.
    get siblings() {
      return (siblings ??= task.siblings.map(toView))
    },
  })
})

function findBuiltIn(key: string): Runnable {
  const found = byKey.get(key)
  if (found === undefined) throw new Error(`there is no evaluator "${key}"`)
  return found
}

function toView({ trace, pages }: SerializedTrace): TraceView {
  const spans = pages.flatMap((page) => JSON.parse(decoder.decode(page)) as ReadSpan[])
  return buildTraceView(trace, spans)
}
