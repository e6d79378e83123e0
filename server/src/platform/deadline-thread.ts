import { once } from 'node:events'
import { type MessagePort, Worker } from 'node:worker_threads'
import { Unavailable } from './failure.ts'
import { openFairSlots } from './fair-slots.ts'
import type { Log } from './log.ts'
import type { Waiter } from './requester.ts'

/*
 * Runs code whose cost depends on untrusted input in a thread of its own, one call at a time. A call that takes too
 * long or too much memory ends with its thread; the event loop and other calls are not affected.
 */

export interface DeadlineThread<Input, Output> {
  /**
   * Resolves with the output for `input`. Owners take turns. Rejects with the error that the call threw, and with
   * CallLost when its time was up or the thread ended. An abort ends the waiting, and rejects with its reason.
   * `endsAt`, in milliseconds since 1970, ends the call before its deadline.
   */
  run(waiter: Waiter, input: Input, endsAt?: number): Promise<Output>
  /** Ends the thread. Running and queued calls are rejected. */
  close(): Promise<void>
}

export interface DeadlineThreadOptions {
  /** The module that the thread starts with; it calls `serveCalls`. */
  readonly module: URL
  readonly name: string
  /** For one call; starting the thread and waiting in the queue do not count. */
  readonly deadlineMs: number
  /** A thread without calls for this long is ended, to free its memory. */
  readonly idleMs: number
  readonly maxHeapMb: number
  readonly log: Log
}

export type LostBecause = 'too late' | 'out of memory' | 'failed' | 'closed'

/** The thread of the call has ended. */
export class CallLost extends Unavailable {
  readonly because: LostBecause

  constructor(name: string, { because, message, cause }: ThreadLost) {
    super(`The ${name} ${message}.`, 1, { cause })
    this.because = because
  }
}

type Outcome<Output> = { readonly output: Output } | { readonly defect: Error }

/** The thread starts with the first call, and again after it was ended. */
export function openDeadlineThread<Input, Output>(
  options: DeadlineThreadOptions,
): DeadlineThread<Input, Output> {
  // Callers limit how many calls wait.
  const inTurn = openFairSlots({ runningMax: 1, waitingMax: Number.POSITIVE_INFINITY, refusal: '' })
  const closing = new AbortController()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  async function endThread(): Promise<void> {
    const ended = thread
    thread = undefined
    await ended?.terminate()
  }

  async function start(): Promise<Worker> {
    const started = await startThread(options, closing.signal)
    started.once('exit', () => {
      if (thread === started) thread = undefined
    })
    thread = started
    return started
  }

  async function runNow(input: Input, endsAt: number): Promise<Output> {
    clearTimeout(idle)
    try {
      closing.signal.throwIfAborted()
      const called = thread ?? (await start())
      const deadlineMs = Math.min(options.deadlineMs, endsAt - Date.now())
      return await callThread<Input, Output>(called, input, deadlineMs, closing.signal)
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error
      // Awaited, so that there is never more than one thread.
      await endThread()
      throw new CallLost(options.name, error)
    } finally {
      idle = setTimeout(() => void endThread(), options.idleMs).unref()
    }
  }

  return {
    run: (waiter, input, endsAt = Number.POSITIVE_INFINITY) =>
      inTurn(waiter, () => runNow(input, endsAt)),
    async close() {
      closing.abort(new ThreadLost('closed', 'was closed'))
      const last = { owner: 'close', signal: new AbortController().signal }
      await inTurn(last, endThread)
      clearTimeout(idle)
    },
  }
}

/** The thread cannot be used for further calls. */
class ThreadLost extends Error {
  readonly because: LostBecause

  constructor(because: LostBecause, message: string, options?: ErrorOptions) {
    super(message, options)
    this.because = because
  }
}

async function startThread(
  { module, name, maxHeapMb, log }: DeadlineThreadOptions,
  closing: AbortSignal,
): Promise<Worker> {
  const started = new Worker(module, {
    name,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  started.on('error', (error) => log.error(`the ${name} failed`, error))
  try {
    await once(started, 'message', { signal: closing })
    return started
  } catch (error) {
    await started.terminate()
    throw closing.aborted
      ? closing.reason
      : new ThreadLost('failed', 'did not start', { cause: error })
  }
}

async function callThread<Input, Output>(
  thread: Worker,
  input: Input,
  deadlineMs: number,
  closing: AbortSignal,
): Promise<Output> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome<Output>>()
  const onExit = () => reject(new ThreadLost('failed', 'failed'))
  const onError = (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      reject(new ThreadLost('out of memory', 'ran out of memory'))
  }
  const onClose = () => reject(closing.reason as Error)
  const deadline = setTimeout(() => reject(new ThreadLost('too late', 'took too long')), deadlineMs)
  thread.on('message', resolve).on('error', onError).on('exit', onExit)
  closing.addEventListener('abort', onClose)
  try {
    thread.postMessage(input)
    const outcome = await promise
    if ('defect' in outcome) throw outcome.defect
    return outcome.output
  } finally {
    clearTimeout(deadline)
    thread.off('message', resolve).off('error', onError).off('exit', onExit)
    closing.removeEventListener('abort', onClose)
  }
}

/** The thread's side. */
export function serveCalls<Input, Output>(
  port: MessagePort,
  answer: (input: Input) => Promise<Output>,
): void {
  port.on('message', (input: Input) => {
    void answer(input).then(
      (output) => port.postMessage({ output } satisfies Outcome<Output>),
      (error: unknown) => {
        const defect = error instanceof Error ? error : new Error(String(error))
        port.postMessage({ defect } satisfies Outcome<Output>)
      },
    )
  })
  port.postMessage('ready')
}
