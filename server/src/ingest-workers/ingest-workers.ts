import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { limits } from '@assay/contract/limits.ts'
import { Failure, Unavailable } from '../platform/failure.ts'
import type { TakenItem } from '../platform/fair-queue.ts'
import type { Log } from '../platform/log.ts'
import { openByteBudget } from '../platform/member-budget.ts'
import { openMemberQueue } from '../platform/member-queue.ts'
import type { Requester } from '../platform/requester.ts'
import { memoryBytes, scaleToMemory } from '../platform/scale-to-memory.ts'
import { type Outcome, type Task, transferable, type Work } from './messages.ts'

/*
 * Moves costly work on request bodies off the event loop: worker threads inflate, decode, validate and encode them,
 * each one at a time, so that a thread never holds more than one of them decoded. Organizations take turns, and in each its
 * projects and people.
 */

export interface IngestWorkers {
  /**
   * The output of the work for `input`, whose buffers are transferred. Rejects with the Failure that the work
   * threw, and with Unavailable when too much is queued, in all or for the requester, the work takes too long, or
   * the thread died.
   */
  run<Input, Output>(work: Work<Input, Output>, input: Input, load: Load): Promise<Output>
  /** Drains the queues and ends the threads. Accepts no further work. */
  close(): Promise<void>
}

export interface Load {
  /** Whose turn and share it takes. */
  readonly requester: Requester
  /** An estimate of the size of the input once inflated, for the budget of queued bytes. */
  readonly sizeBytes: number
  /** Parts of the input to transfer instead of copying. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

export interface IngestWorkerOptions {
  /** The engine to encode rows for; passed to the thread as `workerData`. */
  readonly engine: string
  readonly log: Log
  /** By default one less than there are cores, because the event loop needs one, and no more than fit in memory. */
  readonly threadCount?: number
  /** For one task; waiting for a thread does not count. */
  readonly deadlineMs?: number
  /** The module that a thread starts with; it calls `serveIngestWorker`. */
  readonly thread?: URL
}

/** A file beside main.ts, because it imports engines and features, which this folder may not. */
const ingestWorkerModule = new URL('../ingest-worker.ts', import.meta.url)

/** Estimated inflated bytes of all bodies that may be queued or in work at once. */
const waitingBytesMax = 256 * 1024 * 1024
const waitingBytesOfOrganizationMax = waitingBytesMax / 2
/** Of one project, or of one person who exports. */
const waitingBytesOfRequesterMax = waitingBytesMax / 4

/** The heap limit of a thread; beyond it the thread dies, not the process. */
const threadHeapMbMax = Math.max(scaleToMemory(1024), 256)

/** Several times what the largest body takes on a busy machine. */
const defaultDeadlineMs = 30_000

export function openIngestWorkers(options: IngestWorkerOptions): IngestWorkers {
  const { engine, log, threadCount = defaultThreads(), thread = ingestWorkerModule } = options
  const { deadlineMs = defaultDeadlineMs } = options
  const budget = openByteBudget(
    {
      total: waitingBytesMax,
      ofOrganization: waitingBytesOfOrganizationMax,
      ofUser: waitingBytesOfRequesterMax,
      refusal: 'Too much is waiting to be decoded. Try again shortly.',
    },
    limits.otlpBodyBytes.value,
  )
  const start = () => startThread(thread, engine, log)
  const threads = Array.from({ length: threadCount }, () => openTaskThread(start, deadlineMs))
  const queue = openMemberQueue<QueuedTask>()
  let isClosed = false

  function startNext(): void {
    const { run, running } = leastBusy(threads)
    if (running.size >= tasksPerThread || hasLarge(running)) return
    const taken = queue.take()
    if (taken === undefined) return
    const { resolve, reject } = taken.item
    void run(taken).then(resolve, reject).finally(startNext)
    startNext()
  }
  return {
    async run(work, input, { requester, sizeBytes, parts }) {
      if (isClosed) throw new Unavailable('The service is stopping.', 5)
      const release = budget.take(requester, sizeBytes)
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      queue.add(requester, { work: work.name, input, parts, sizeBytes, resolve, reject })
      startNext()
      try {
        // The thread finds the work by its name; the type of its output follows from the work.
        return (await promise) as never
      } finally {
        release()
      }
    },
    async close() {
      isClosed = true
      // Finished tasks start queued ones, until none is left.
      while (queue.size > 0 || threads.some(({ running }) => running.size > 0)) {
        const tasks = threads.flatMap(({ running }) => [...running.values()])
        await Promise.allSettled(tasks.map(({ settled }) => settled))
      }
      await Promise.all(threads.map(({ terminate }) => terminate()))
    },
  }
}

const threadsMax = 8
/** What a thread may take. */
const threadBytes = 1024 ** 3

function defaultThreads(): number {
  const fitting = Math.min(availableParallelism() - 1, Math.floor(memoryBytes() / threadBytes))
  return Math.min(Math.max(fitting, 1), threadsMax)
}

/** One in work, and one ready for when it is done. Further ones wait for the turn of their organization. */
const tasksPerThread = 2

/** Behind a task of this size nothing is made ready: a task of another organization may arrive until it is done. */
const largeBytes = 1024 * 1024

function hasLarge(running: TaskThread['running']): boolean {
  return running.values().some(({ isLarge }) => isLarge)
}

function startThread(thread: URL, engine: string, log: Log): Worker {
  const started = new Worker(thread, {
    name: 'ingest-worker',
    workerData: { engine },
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMbMax },
  })
  return started.on('error', (error) => log.error('the ingest worker failed', error))
}

interface QueuedTask extends Pick<RunningTask, 'resolve' | 'reject'> {
  readonly work: string
  readonly input: unknown
  readonly parts: Load['parts']
  readonly sizeBytes: number
}

interface TaskThread {
  readonly running: ReadonlyMap<number, RunningTask>
  run(taken: Omit<TakenItem<QueuedTask>, 'putBack'>): Promise<unknown>
  terminate(): Promise<void>
}

interface RunningTask {
  readonly settled: Promise<unknown>
  readonly startedAt: number
  readonly isLarge: boolean
  isLate: boolean
  charge(costMs: number): void
  resolve(output: unknown): void
  reject(error: Error): void
}

function leastBusy(threads: readonly TaskThread[]): TaskThread {
  return threads.reduce((best, one) => (one.running.size < best.running.size ? one : best))
}

/** The thread starts with its first task, and again after it died, so that unused threads take no memory. */
function openTaskThread(startWorker: () => Worker, deadlineMs: number): TaskThread {
  const running = new Map<number, RunningTask>()
  let lastId = 0
  let thread: Worker | undefined
  let deadline: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = startWorker()
    started.on('message', (outcome: Outcome) => {
      const task = running.get(outcome.id)
      running.delete(outcome.id)
      if (task === undefined) return
      watchFirst()
      task.charge(outcome.costMs)
      settle(task, outcome)
    })
    started.on('exit', () => {
      thread = undefined
      clearTimeout(deadline)
      const unfinished = [...running.values()]
      running.clear()
      for (const { charge, reject, startedAt, isLate } of unfinished) {
        charge(performance.now() - startedAt)
        if (isLate) reject(new Unavailable('The body took too long to decode.', 60))
        else reject(new Unavailable('The ingest worker failed.', 1))
      }
    })
    return started
  }

  /** The thread works on the first task. */
  function watchFirst(): void {
    clearTimeout(deadline)
    const [first] = running.values()
    if (first === undefined) return
    deadline = setTimeout(() => {
      first.isLate = true
      void thread?.terminate()
    }, deadlineMs)
  }

  return {
    running,
    async run({ item: { work, input, parts, sizeBytes }, charge }) {
      thread ??= start()
      const task: Task = { id: ++lastId, work, input }
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      // Throws if the input was transferred before.
      thread.postMessage(task, transferable(parts))
      const startedAt = performance.now()
      const isLarge = sizeBytes >= largeBytes
      const state = { settled: promise, startedAt, isLarge, isLate: false }
      running.set(task.id, { ...state, charge, resolve, reject })
      if (running.size === 1) watchFirst()
      return await promise
    },
    async terminate() {
      await thread?.terminate()
    },
  }
}

function settle(task: RunningTask, outcome: Outcome): void {
  if ('output' in outcome) task.resolve(outcome.output)
  else if ('defect' in outcome) task.reject(outcome.defect)
  else {
    const { code, message, status, ...options } = outcome.refusal
    task.reject(new Failure(code, message, { status: status as 400, ...options }))
  }
}
