import { flushCompileCache } from 'node:module'
import type { MessagePort } from 'node:worker_threads'
import { Failure } from '../platform/failure.ts'
import { type Outcome, type Result, type Task, transferable, type Work } from './messages.ts'

/** A kind of work and its function; `parts` are the buffers of an output to transfer. */
export interface Worker<Input, Output> {
  readonly work: Work<Input, Output>
  readonly run: (input: Input) => Output
  readonly parts: (output: Output) => readonly Uint8Array<ArrayBuffer>[]
}

type AnyWorker = Worker<unknown, unknown>

/** For `serveIngestWorker`, which handles input and output of any type. */
export function worker<Input, Output>(one: Worker<Input, Output>): AnyWorker {
  return one as unknown as AnyWorker
}

/** The thread's side of the pool: does one task after the other as they arrive through `port`. */
export function serveIngestWorker(port: MessagePort, workers: readonly AnyWorker[]): void {
  const byName = new Map(workers.map((one) => [one.work.name, one]))
  // For the next start, also if this process is killed.
  flushCompileCache()
  port.on('message', (task: Task) => {
    const found = byName.get(task.work)
    if (found === undefined) throw new Error(`there is no worker for "${task.work}"`)
    const startedAt = performance.now()
    const result = runTask(task, found)
    const costMs = performance.now() - startedAt
    const outcome: Outcome = { ...result, id: task.id, costMs }
    port.postMessage(outcome, 'output' in result ? transferable(found.parts(result.output)) : [])
  })
}

function runTask({ input }: Task, { run }: AnyWorker): Result {
  try {
    return { output: run(input) }
  } catch (error) {
    if (error instanceof Failure) {
      const { code, message, status, details, rejectedSpans } = error
      return { refusal: { code, message, status, details, rejectedSpans } }
    }
    return { defect: error instanceof Error ? error : new Error(String(error)) }
  }
}
