import { Worker } from 'node:worker_threads'
import { limits } from '@assay/contract/limits.ts'
import { byteBudget } from '../../http/byte-budget.ts'
import type { OtlpBody } from '../../http/call.ts'
import { Failure, Unavailable } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import { type IntakeResult, type IntakeTask, transferable } from './intake-messages.ts'
import type { PackedRequest } from './pack-request.ts'

/*
 * Takes OTLP bodies off the event loop: a thread inflates, decodes and packs them, one at a time and in the
 * order they came, so that a thread never holds more than one of them unpacked.
 */

export interface Intake {
  /**
   * What the body holds, ready to be recorded; the body belongs to the intake from then on. Rejects with a
   * Failure when it is no OTLP request, and with Unavailable when too much is waiting or the thread died.
   */
  take(body: OtlpBody): Promise<PackedRequest>
  /** Ends the threads, after what is under way. Nothing may be taken any more. */
  close(): Promise<void>
}

export interface IntakeOptions {
  /** Whose rows the bodies become; given to the thread as `workerData`. */
  readonly engine: string
  readonly log: Log
  readonly threadCount?: number
  /** The module that a thread starts with; it calls `serveIntake`. */
  readonly thread?: URL
}

/** A file of its own beside main.ts, because it knows the engines, which features do not. */
const intakeWorker = new URL('../../intake-worker.ts', import.meta.url)

/** Bytes of bodies that may be waiting or in work at once, as they will be when inflated. */
const maxWaitingBytes = 256 * 1024 * 1024

/** What a thread may take for its objects; beyond it the thread dies, and not the process. */
const maxThreadHeapMb = 1024

export function openIntake(options: IntakeOptions): Intake {
  const { engine, log, threadCount = 1, thread = intakeWorker } = options
  const budget = byteBudget(maxWaitingBytes)
  const start = () => startThread(thread, engine, log)
  const lanes = Array.from({ length: threadCount }, () => openLane(start))
  return {
    async take(body) {
      const sizeBytes = inflatedBytes(body)
      budget.take(sizeBytes)
      try {
        return await leastBusy(lanes).take(body)
      } finally {
        budget.giveBack(sizeBytes)
      }
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}

/** An estimate: telemetry compresses about eight times, and more than the limit is never inflated. */
function inflatedBytes({ bytes, compression }: OtlpBody): number {
  if (compression === 'identity') return bytes.byteLength
  return Math.min(8 * bytes.byteLength, limits.otlpBodyBytes.value)
}

function startThread(thread: URL, engine: string, log: Log): Worker {
  const worker = new Worker(thread, {
    name: 'intake',
    workerData: { engine },
    resourceLimits: { maxOldGenerationSizeMb: maxThreadHeapMb },
  })
  return worker.on('error', (error) => log.error('the intake thread failed', error))
}

/** One thread and the bodies it has been given. */
interface Lane {
  readonly waiting: ReadonlyMap<number, Waiter>
  take(body: OtlpBody): Promise<PackedRequest>
  close(): Promise<void>
}

interface Waiter {
  readonly settled: Promise<PackedRequest>
  resolve(packed: PackedRequest): void
  reject(error: Error): void
}

function leastBusy(lanes: readonly Lane[]): Lane {
  return lanes.reduce((best, lane) => (lane.waiting.size < best.waiting.size ? lane : best))
}

function openLane(startWorker: () => Worker): Lane {
  const waiting = new Map<number, Waiter>()
  let lastId = 0
  let worker: Worker | undefined = start()

  function start(): Worker {
    const started = startWorker()
    started.on('message', (result: IntakeResult) => {
      const waiter = waiting.get(result.id)
      waiting.delete(result.id)
      if (waiter !== undefined) settle(waiter, result)
    })
    started.on('exit', () => {
      // The next body starts a new one: a thread that cannot start is not started over and over.
      worker = undefined
      for (const { reject } of waiting.values())
        reject(new Unavailable('The intake has failed.', 1))
      waiting.clear()
    })
    return started
  }

  return {
    waiting,
    take(body) {
      worker ??= start()
      const task: IntakeTask = { id: ++lastId, body }
      const { promise, resolve, reject } = Promise.withResolvers<PackedRequest>()
      waiting.set(task.id, { settled: promise, resolve, reject })
      worker.postMessage(task, transferable([body.bytes]))
      return promise
    },
    async close() {
      await Promise.allSettled([...waiting.values()].map(({ settled }) => settled))
      await worker?.terminate()
    },
  }
}

function settle(waiter: Waiter, result: IntakeResult): void {
  if ('packed' in result) waiter.resolve(result.packed)
  else if ('refusal' in result) waiter.reject(new Failure('VALIDATION_ERROR', result.refusal))
  else waiter.reject(result.defect)
}
