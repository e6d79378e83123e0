import { parentPort } from 'node:worker_threads'
import {
  buildTraceView,
  type ReadSpan,
  type ViewedTrace,
} from '../../domain/trace-view/build-trace-view.ts'
import type { TraceView } from '../../domain/trace-view/trace-view.ts'
import { deterministicEvaluators } from '../../evaluators/catalogue.ts'
import { evaluateTrace, type TraceVerdict } from '../../evaluators/evaluate-trace.ts'
import { serveCalls } from '../../platform/deadline-thread.ts'
import { runBelowMainThread } from '../../platform/thread-priority.ts'

/*
 * The entry point of the thread that runs evaluators: traces are large, and what is in them comes from strangers.
 */

/** A trace and its spans in the JSON of the API, a list for each page. */
export interface SerializedTrace {
  readonly trace: ViewedTrace
  readonly pages: readonly Uint8Array<ArrayBuffer>[]
}

export interface EvaluationTask extends SerializedTrace {
  /** Of the evaluators to run, in this order. */
  readonly keys: readonly string[]
  readonly siblings: readonly SerializedTrace[]
}

if (parentPort === null) throw new Error('evaluation-thread.ts starts a thread, not a process.')

const byKey = new Map<string, (typeof deterministicEvaluators)[number]>(
  deterministicEvaluators.map((one) => [one.key, one]),
)
const decoder = new TextDecoder()

runBelowMainThread()
serveCalls(parentPort, async (task: EvaluationTask): Promise<readonly TraceVerdict[]> => {
  const evaluators = task.keys.flatMap((key) => byKey.get(key) ?? [])
  return evaluateTrace(toView(task), evaluators, { siblings: task.siblings.map(toView) })
})

function toView({ trace, pages }: SerializedTrace): TraceView {
  const spans = pages.flatMap((page) => JSON.parse(decoder.decode(page)) as ReadSpan[])
  return buildTraceView(trace, spans)
}
