import { Worker } from 'node:worker_threads'
import { byteBudget } from '../platform/byte-budget.ts'
import { Failure, Unavailable } from '../platform/failure.ts'
import type { Log } from '../platform/log.ts'
import { type Outcome, type Task, transferable, type Work } from './messages.ts'

/*
 * Takes costly work on request bodies off the event loop: a thread inflates, decodes, checks and packs them,
 * one at a time and in the order they came, so that a thread never holds more than one of them unpacked.
 */

export interface IngestWorkers {
  /**
   * What a thread made of `input`, whose buffers belong to the intake from then on. Rejects with the Failure
   * that the work threw, and with Unavailable when too much is waiting or the thread died.
   */
  run<Input, Output>(work: Work<Input, Output>, input: Input, load: Load): Promise<Output>
  /** Ends the threads, after what is under way. Nothing may be taken any more. */
  close(): Promise<void>
}

export interface Load {
  /** What the input may become, for the budget of waiting bytes. */
  readonly sizeBytes: number
  /** Parts of the input to hand over rather than to copy. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

export interface IngestWorkerOptions {
  /** Whose rows the bodies become; given to the thread as `workerData`. */
  readonly engine: string
  readonly log: Log
  readonly threadCount?: number
  /** The module that a thread starts with; it calls `serveIntake`. */
  readonly thread?: URL
}

/** A file of its own beside main.ts, because it knows engines and features, which the intake does not. */
const ingestWorkerModule = new URL('../ingest-worker.ts', import.meta.url)

/** Bytes of bodies that may be waiting or in work at once, as they will be when inflated. */
const maxWaitingBytes = 256 * 1024 * 1024

/** What a thread may take for its objects; beyond it the thread dies, and not the process. */
const maxThreadHeapMb = 1024

export function openIngestWorkers(options: IngestWorkerOptions): IngestWorkers {
  const { engine, log, threadCount = 1, thread = ingestWorkerModule } = options
  const budget = byteBudget(maxWaitingBytes)
  const start = () => startThread(thread, engine, log)
  const queues = Array.from({ length: threadCount }, () => openWorkerQueue(start))
  return {
    async run(work, input, { sizeBytes, parts }) {
      budget.take(sizeBytes)
      try {
        // The thread knows the work by its name, and the work knows what it gives.
        return (await leastBusy(queues).run(work.name, input, parts)) as never
      } finally {
        budget.release(sizeBytes)
      }
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()))
    },
  }
}

function startThread(thread: URL, engine: string, log: Log): Worker {
  const started = new Worker(thread, {
    name: 'ingest-worker',
    workerData: { engine },
    resourceLimits: { maxOldGenerationSizeMb: maxThreadHeapMb },
  })
  return started.on('error', (error) => log.error('the ingest worker failed', error))
}

/** One thread and what it has been given. */
interface WorkerQueue {
  readonly waiting: ReadonlyMap<number, PendingTask>
  run(work: string, input: unknown, parts: Load['parts']): Promise<unknown>
  close(): Promise<void>
}

interface PendingTask {
  readonly settled: Promise<unknown>
  resolve(output: unknown): void
  reject(error: Error): void
}

function leastBusy(queues: readonly WorkerQueue[]): WorkerQueue {
  return queues.reduce((best, queue) => (queue.waiting.size < best.waiting.size ? queue : best))
}

/** The thread starts with its first task, and anew after it died: one that nobody needs takes no memory. */
function openWorkerQueue(startWorker: () => Worker): WorkerQueue {
  const waiting = new Map<number, PendingTask>()
  let lastId = 0
  let thread: Worker | undefined

  function start(): Worker {
    const started = startWorker()
    started.on('message', (outcome: Outcome) => {
      const pendingTask = waiting.get(outcome.id)
      waiting.delete(outcome.id)
      if (pendingTask !== undefined) settle(pendingTask, outcome)
    })
    started.on('exit', () => {
      thread = undefined
      for (const { reject } of waiting.values())
        reject(new Unavailable('The ingest worker failed.', 1))
      waiting.clear()
    })
    return started
  }

  return {
    waiting,
    run(work, input, parts) {
      thread ??= start()
      const task: Task = { id: ++lastId, work, input }
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting.set(task.id, { settled: promise, resolve, reject })
      thread.postMessage(task, transferable(parts))
      return promise
    },
    async close() {
      await Promise.allSettled([...waiting.values()].map(({ settled }) => settled))
      await thread?.terminate()
    },
  }
}

function settle(pendingTask: PendingTask, outcome: Outcome): void {
  if ('output' in outcome) pendingTask.resolve(outcome.output)
  else if ('defect' in outcome) pendingTask.reject(outcome.defect)
  else {
    const { code, message, status, details } = outcome.refusal
    pendingTask.reject(new Failure(code, message, { status: status as 400, details }))
  }
}
