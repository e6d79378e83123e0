import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { byteBudget } from '../platform/byte-budget.ts'
import { Failure, Unavailable } from '../platform/failure.ts'
import type { Log } from '../platform/log.ts'
import { type Outcome, type Task, transferable, type Work } from './messages.ts'

/*
 * Moves costly work on request bodies off the event loop: a worker thread inflates, decodes, validates and encodes
 * them one at a time in the order of arrival, so that it never holds more than one of them decoded.
 */

export interface IngestWorkers {
  /**
   * The output of the work for `input`, whose buffers are transferred. Rejects with the Failure that the work
   * threw, and with Unavailable when too much is queued or the thread died.
   */
  run<Input, Output>(work: Work<Input, Output>, input: Input, load: Load): Promise<Output>
  /** Drains the queues and ends the threads. Accepts no further work. */
  close(): Promise<void>
}

export interface Load {
  /** The size of the input once inflated, for the budget of queued bytes. */
  readonly sizeBytes: number
  /** Parts of the input to transfer instead of copying. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

export interface IngestWorkerOptions {
  /** The engine to encode rows for; passed to the thread as `workerData`. */
  readonly engine: string
  readonly log: Log
  /** By default one less than there are cores: the event loop needs one. */
  readonly threadCount?: number
  /** The module that a thread starts with; it calls `serveIngestWorker`. */
  readonly thread?: URL
}

/** A file beside main.ts, because it imports engines and features, which this folder may not. */
const ingestWorkerModule = new URL('../ingest-worker.ts', import.meta.url)

/** Inflated bytes of all bodies that may be queued or in work at once. */
const maxWaitingBytes = 256 * 1024 * 1024

/** The heap limit of a thread; beyond it the thread dies, not the process. */
const maxThreadHeapMb = 1024

export function openIngestWorkers(options: IngestWorkerOptions): IngestWorkers {
  const { engine, log, threadCount = defaultThreads(), thread = ingestWorkerModule } = options
  const budget = byteBudget(maxWaitingBytes)
  const start = () => startThread(thread, engine, log)
  const queues = Array.from({ length: threadCount }, () => openWorkerQueue(start))
  return {
    async run(work, input, { sizeBytes, parts }) {
      budget.take(sizeBytes)
      try {
        // The thread finds the work by its name; the type of its output follows from the work.
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

/** Each thread may take a gigabyte. */
const threadsMax = 8

function defaultThreads(): number {
  return Math.min(Math.max(availableParallelism() - 1, 1), threadsMax)
}

function startThread(thread: URL, engine: string, log: Log): Worker {
  const started = new Worker(thread, {
    name: 'ingest-worker',
    workerData: { engine },
    resourceLimits: { maxOldGenerationSizeMb: maxThreadHeapMb },
  })
  return started.on('error', (error) => log.error('the ingest worker failed', error))
}

/** One thread and its tasks. */
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

/** The thread starts with its first task, and again after it died, so that unused threads take no memory. */
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
    const { code, message, status, ...options } = outcome.refusal
    pendingTask.reject(new Failure(code, message, { status: status as 400, ...options }))
  }
}
