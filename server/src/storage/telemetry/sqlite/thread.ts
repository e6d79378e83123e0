import { flushCompileCache } from 'node:module'
import {
  type MessagePort,
  parentPort,
  type ResourceLimits,
  type Transferable,
  Worker,
} from 'node:worker_threads'
import { Unavailable } from '../../../platform/failure.ts'
import { fromStorageError, type StorageError, toStorageError } from './storage-errors.ts'

/*
 * The lifecycle of a thread of the store: it opens its file, serves messages, and closes on request.
 */

type Opening =
  | { readonly type: 'open' }
  | { readonly type: 'not-open'; readonly storageError: StorageError }

export interface Thread<ToThread> {
  post(message: ToThread, transferred?: readonly Transferable[]): void
  /** Why the thread ended; undefined while it runs. */
  readonly fault: Error | undefined
  /** Lets the thread finish earlier messages, and resolves when it has ended. */
  end(): Promise<void>
  /** Ends the thread when it next runs JavaScript: a running SQL statement first calls a function of ours, or ends. */
  terminate(): void
}

export interface ThreadEvents<FromThread> {
  onMessage(message: FromThread): void
  /** The thread has ended; pending messages get no reply. */
  onEnd(fault: Error): void
  /** The thread has ended unexpectedly. */
  onFatal(error: Error): void
}

/** Starts the module in a thread; resolves when it has opened, rejects when it could not and has ended. */
export async function startThread<ToThread, FromThread>(
  module: URL,
  workerData: unknown,
  { onMessage, onEnd, onFatal }: ThreadEvents<FromThread>,
  resourceLimits: ResourceLimits = {},
): Promise<Thread<ToThread>> {
  const worker = new Worker(module, { workerData, resourceLimits })
  const opening = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let isServing = false
  let cause: Error | undefined
  let fault: Error | undefined

  worker.on('message', (message: FromThread | Opening) => {
    if (!isOpening(message)) onMessage(message)
    else if (message.type === 'not-open') opening.reject(fromStorageError(message.storageError))
    else {
      isServing = true
      opening.resolve()
    }
  })
  worker.on('error', (error: Error) => {
    cause = error
  })
  worker.on('exit', () => {
    const error = cause ?? new Error('A thread of the telemetry store has ended.')
    fault = new Unavailable('The telemetry store has stopped.', 5, { cause: error })
    opening.reject(error)
    ended.resolve()
    onEnd(fault)
    if (isServing) onFatal(error)
  })
  await opening.promise.catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })
  return {
    post: (message, transferred = []) => worker.postMessage(message, transferred),
    get fault() {
      return fault
    },
    end() {
      isServing = false
      worker.postMessage('end')
      return ended.promise
    },
    terminate() {
      isServing = false
      void worker.terminate()
    },
  }
}

function isOpening(message: unknown): message is Opening {
  const { type } = message as { readonly type?: unknown }
  return type === 'open' || type === 'not-open'
}

/** The thread's end, called by its module. `serve` opens and returns the message handler. */
export function serveThread<ToThread>(
  serve: (port: MessagePort) => {
    readonly onMessage: (message: ToThread) => void
    readonly close: () => void
  },
): void {
  const port = parentPort
  if (port === null) throw new Error('This module must run in a worker thread.')
  const send = (message: Opening) => port.postMessage(message)
  try {
    const { onMessage, close } = serve(port)
    port.on('message', (message: ToThread | 'end') => {
      if (message !== 'end') return onMessage(message)
      close()
      port.close()
    })
    send({ type: 'open' })
    // For the next start, also if this process is killed.
    flushCompileCache()
  } catch (error) {
    send({ type: 'not-open', storageError: toStorageError(error) })
    port.close()
  }
}
