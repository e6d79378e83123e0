import { type MessagePort, parentPort, type Transferable, Worker } from 'node:worker_threads'
import { Unavailable } from '../../../platform/failure.ts'
import { fromStorageError, type StorageError, toStorageError } from './storage-errors.ts'

/*
 * The life of a thread that serves the store: it opens its file, works, and closes when it is told to.
 */

type Opening =
  | { readonly type: 'open' }
  | { readonly type: 'not-open'; readonly storageError: StorageError }

export interface Thread<ToThread> {
  post(message: ToThread, transferred?: readonly Transferable[]): void
  /** Why it serves no more; undefined while it does. */
  readonly fault: Error | undefined
  /** Tells it to finish what it has been told before, and resolves when it has ended. */
  end(): Promise<void>
}

export interface ThreadEvents<FromThread> {
  onMessage(message: FromThread): void
  /** It has ended, and answers nothing that is still waiting. */
  onEnd(fault: Error): void
  /** It has ended unasked. */
  onFatal(error: Error): void
}

/** Starts the module in a thread; resolves when it has opened, rejects when it cannot. */
export async function startThread<ToThread, FromThread>(
  module: URL,
  workerData: unknown,
  { onMessage, onEnd, onFatal }: ThreadEvents<FromThread>,
): Promise<Thread<ToThread>> {
  const worker = new Worker(module, { workerData })
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
  await opening.promise
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
  }
}

function isOpening(message: unknown): message is Opening {
  const { type } = message as { readonly type?: unknown }
  return type === 'open' || type === 'not-open'
}

/** The other end: what a thread's module calls. `serve` opens, and gives back what answers the messages. */
export function serveThread<ToThread>(
  serve: (port: MessagePort) => {
    readonly onMessage: (message: ToThread) => void
    readonly close: () => void
  },
): void {
  const port = parentPort
  if (port === null) throw new Error('This module runs in a thread of its own.')
  const send = (message: Opening) => port.postMessage(message)
  try {
    const { onMessage, close } = serve(port)
    port.on('message', (message: ToThread | 'end') => {
      if (message !== 'end') return onMessage(message)
      close()
      port.close()
    })
    send({ type: 'open' })
  } catch (error) {
    send({ type: 'not-open', storageError: toStorageError(error) })
    port.close()
  }
}
