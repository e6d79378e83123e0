import {
  buildTraceView,
  type ReadSpan,
  type ViewedTrace,
} from '../../domain/trace-view/build-trace-view.ts'
import type { TraceView } from '../../domain/trace-view/trace-view.ts'
import { builtInEvaluators } from '../../evaluators/catalogue.ts'
import { evaluateTrace, type Runnable, type TraceVerdict } from '../../evaluators/evaluate-trace.ts'
import { type Buffers, serveCalls } from '../../platform/deadline-process.ts'
import { runBelowMainThread } from '../../platform/thread-priority.ts'

/*
 * The entry point of the process that runs evaluators: traces are large, and their content is untrusted.
 */

/** A trace and its spans: lists in the JSON of the API, which are sent beside the task, in order. */
export interface SentTrace {
  readonly trace: ViewedTrace
  readonly pageCount: number
}

export interface SentTask {
  /** In the order of the results. */
  readonly evaluators: readonly ChosenEvaluator[]
  /** The evaluated trace, then those that it is compared with. */
  readonly traces: readonly [SentTrace, ...SentTrace[]]
}

/** The key of one that is built in, or the template of one that is not. */
export type ChosenEvaluator = { readonly key: string } | { readonly template: string }

const byKey = new Map<string, Runnable>(builtInEvaluators.map((one) => [one.key, one]))
const decoder = new TextDecoder()

runBelowMainThread()
serveCalls(async (task: SentTask, pages): Promise<readonly TraceVerdict[]> => {
  const evaluators = task.evaluators.map((chosen) =>
    'template' in chosen ? chosen : findBuiltIn(chosen.key),
  )
  const [evaluated, ...others] = task.traces
  let siblings: readonly TraceView[] | undefined
  return evaluateTrace(toView(evaluated, pages.slice(0, evaluated.pageCount)), evaluators, {
    // Built for evaluators that read them only: they take as much memory as the trace.
    get siblings() {
      let end = evaluated.pageCount
      return (siblings ??= others.map((other) =>
        toView(other, pages.slice(end, (end += other.pageCount))),
      ))
    },
  })
})

function findBuiltIn(key: string): Runnable {
  const found = byKey.get(key)
  if (found === undefined) throw new Error(`there is no evaluator "${key}"`)
  return found
}

function toView({ trace }: SentTrace, pages: Buffers): TraceView {
  const spans = pages.flatMap((page) => JSON.parse(decoder.decode(page)) as ReadSpan[])
  return buildTraceView(trace, spans)
}
