import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { listOwnLines, withoutData } from './error-without-data.ts'
import { Unavailable } from './failure.ts'
import { openFairSlots } from './fair-slots.ts'
import type { Log } from './log.ts'
import type { Waiter } from './requester.ts'

/*
 * Runs code whose cost depends on untrusted input in a process of its own, one call at a time. A call that takes too
 * long or too much memory ends with its process; the event loop and other calls are not affected. Not a thread: one that
 * exhausts its heap can take the service with it.
 */

export interface DeadlineProcess<Input, Output> {
  /**
   * Resolves with the output for `input`. Owners take turns. Rejects with the error that the call threw, without its message,
   * and with CallLost when its time was up or the process ended. An abort ends the waiting, and rejects with its reason.
   */
  run(waiter: Waiter, input: Input, options?: CallOptions): Promise<Output>
  /** Ends the process. Running and queued calls are rejected. */
  close(): Promise<void>
}

export interface CallOptions {
  /** Ends the call before its deadline; in milliseconds since 1970. */
  readonly endsAt?: number
  /** What is large, which the process gets beside the input. */
  readonly buffers?: Buffers
}

export type Buffers = readonly Uint8Array<ArrayBuffer>[]

export interface DeadlineProcessOptions {
  /** The module that the process starts with; it calls `serveCalls`. */
  readonly module: URL
  readonly name: string
  /** For one call; starting the process and waiting in the queue do not count. */
  readonly deadlineMs: number
  /** A process without calls for this long is ended, to free its memory. */
  readonly idleMs: number
  readonly maxHeapMb: number
  /**
   * Of all its memory: decompressed data is outside of the heap. Only on Linux; elsewhere, the deadline and the heap are
   * the limits.
   */
  readonly maxResidentMb?: number
  readonly log: Log
}

export type LostBecause = 'too late' | 'out of memory' | 'failed' | 'closed'

/** The process of the call has ended. */
export class CallLost extends Unavailable {
  readonly because: LostBecause

  constructor(name: string, { because, message, cause }: ProcessLost) {
    super(`The ${name} ${message}.`, 1, { cause })
    this.because = because
  }
}

type Outcome<Output> = { readonly output: Output } | { readonly defect: Error }

/** The process starts with the first call, and again when a call has ended it. */
export function openDeadlineProcess<Input, Output>(
  options: DeadlineProcessOptions,
): DeadlineProcess<Input, Output> {
  // Callers limit how many calls wait.
  const inTurn = openFairSlots({ runningMax: 1, waitingMax: Number.POSITIVE_INFINITY, refusal: '' })
  const closing = new AbortController()
  let child: ChildProcess | undefined
  let replacing: Promise<unknown> | undefined
  let idle: NodeJS.Timeout | undefined

  async function endChild(): Promise<void> {
    await replacing
    const ended = child
    child = undefined
    if (ended !== undefined) await kill(ended)
  }

  async function start(): Promise<ChildProcess> {
    const started = await startChild(options, closing.signal)
    started.once('exit', () => {
      if (child === started) child = undefined
    })
    child = started
    return started
  }

  /** Starts the next process before the next call, which would wait for it. One that does not start is reported then. */
  function replaceChild(): void {
    replacing = start().catch(() => undefined)
  }

  async function runNow(input: Input, { endsAt, buffers }: Required<CallOptions>): Promise<Output> {
    clearTimeout(idle)
    try {
      closing.signal.throwIfAborted()
      await replacing
      const called = child ?? (await start())
      const remainingMs = Math.max(0, endsAt - Date.now())
      const deadlineMs = Math.min(options.deadlineMs, remainingMs)
      const limits = { deadlineMs, maxResidentMb: options.maxResidentMb }
      return await callChild<Output>(called, { input, buffers }, limits, closing.signal)
    } catch (error) {
      if (!(error instanceof ProcessLost)) throw error
      // Awaited, so that there is never more than one process.
      await endChild()
      if (error.because === 'too late' || error.because === 'out of memory') replaceChild()
      throw new CallLost(options.name, error)
    } finally {
      idle = setTimeout(() => void endChild(), options.idleMs).unref()
    }
  }

  return {
    run: (waiter, input, { endsAt = Number.POSITIVE_INFINITY, buffers = [] } = {}) =>
      inTurn(waiter, () => runNow(input, { endsAt, buffers })),
    async close() {
      closing.abort(new ProcessLost('closed', 'was closed'))
      const last = { owner: 'close', signal: new AbortController().signal }
      await inTurn(last, endChild)
      clearTimeout(idle)
    },
  }
}

/** The process cannot be used for further calls. */
class ProcessLost extends Error {
  readonly because: LostBecause

  constructor(because: LostBecause, message: string, options?: ErrorOptions) {
    super(message, options)
    this.because = because
  }
}

/** Without the environment, which has secrets. */
async function startChild(
  { module, name, maxHeapMb, log }: DeadlineProcessOptions,
  closing: AbortSignal,
): Promise<ChildProcess> {
  const started = forkModule(module, { name, maxHeapMb, log })
  let errors = ''
  let hasStarted = false
  started.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, errorLengthMax)
  })
  started.once('close', (code, signal) => {
    // One that the system killed, for example because memory was short, is reported too.
    if (code !== 0 && !started.killed)
      log.error(
        `the ${name} failed`,
        new Error(
          `exit ${signal ?? code}: ${hasStarted ? listOwnLines(errors).join('\n') : errors}`,
        ),
      )
  })
  const ended = new AbortController()
  started.once('exit', () => ended.abort())
  try {
    await once(started, 'message', { signal: AbortSignal.any([closing, ended.signal]) })
    hasStarted = true
    return started
  } catch (error) {
    await kill(started)
    throw closing.aborted
      ? closing.reason
      : new ProcessLost('failed', 'did not start', { cause: error })
  }
}

const errorLengthMax = 2000

function forkModule(
  module: URL,
  { name, maxHeapMb, log }: Pick<DeadlineProcessOptions, 'name' | 'maxHeapMb' | 'log'>,
): ChildProcess {
  try {
    return fork(module, {
      execArgv: [`--max-old-space-size=${maxHeapMb}`],
      ...{ env: {}, serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
    })
  } catch (error) {
    // For example, the system has no memory for another process.
    log.error(`the ${name} failed`, error)
    throw new ProcessLost('failed', 'did not start', { cause: error })
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

interface CallLimits {
  readonly deadlineMs: number
  readonly maxResidentMb: number | undefined
}

async function callChild<Output>(
  child: ChildProcess,
  task: Task,
  { deadlineMs, maxResidentMb }: CallLimits,
  closing: AbortSignal,
): Promise<Output> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome<Output>>()
  const onMessage = (outcome: unknown) => resolve(outcome as Outcome<Output>)
  const onLarge = () => reject(new ProcessLost('out of memory', 'ran out of memory'))
  const onExit = (_code: number | null, signal: NodeJS.Signals | null) =>
    // How the engine ends at the limit of its heap.
    signal === 'SIGABRT' ? onLarge() : reject(new ProcessLost('failed', 'failed'))
  const onClose = () => reject(closing.reason as Error)
  const deadline = setTimeout(
    () => reject(new ProcessLost('too late', 'took too long')),
    deadlineMs,
  )
  const watch = watchMemory(child, maxResidentMb, onLarge)
  child.on('message', onMessage).on('exit', onExit)
  closing.addEventListener('abort', onClose)
  try {
    void sendTask(task, child)
    const outcome = await promise
    if ('defect' in outcome) throw outcome.defect
    return outcome.output
  } finally {
    clearTimeout(deadline)
    clearInterval(watch)
    child.off('message', onMessage).off('exit', onExit)
    closing.removeEventListener('abort', onClose)
  }
}

interface Task {
  readonly input: unknown
  readonly buffers: Buffers
}

/** The messages of a task: the chunks of its buffers in order, then its input. */
type Message = { readonly buffer: number; readonly chunk: Uint8Array } | { readonly input: unknown }

/** A message is serialized at once: one of 128 MiB would block the event loop for 200 ms. */
const chunkBytes = 1024 * 1024

async function sendTask({ input, buffers }: Task, child: ChildProcess): Promise<void> {
  // Resolves once the process has read most of it. One that cannot be sent anything has ended, or is about to.
  const send = (message: Message) =>
    new Promise<void>((resolve) => child.send(message, () => resolve()))
  for (const [buffer, bytes] of buffers.entries()) {
    let at = 0
    do {
      await send({ buffer, chunk: bytes.subarray(at, at + chunkBytes) })
      await setImmediate()
      at += chunkBytes
    } while (at < bytes.byteLength && child.connected)
  }
  await send({ input })
}

/** A decompressor writes some ten megabytes in this time. */
const watchMs = 20

function watchMemory(child: ChildProcess, maxResidentMb: number | undefined, onLarge: () => void) {
  if (maxResidentMb === undefined || process.platform !== 'linux') return undefined
  return setInterval(() => {
    if (residentMb(child.pid) > maxResidentMb) onLarge()
  }, watchMs)
}

/** 0 for a process that has ended. */
function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** The side of the process, which ends when the service does: a signal to its group reaches both. */
export function serveCalls<Input, Output>(
  answer: (input: Input, buffers: Buffers) => Promise<Output>,
): void {
  endBeforeService()
  // As text: a module in TypeScript would take twice the memory.
  new Worker(`(${endWithService.toString()})(${process.ppid})`, { eval: true }).unref()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const reply = (outcome: Outcome<Output>) => process.send?.(outcome)
  let chunks: Uint8Array[][] = []
  process.on('message', (message: Message) => {
    if ('chunk' in message) {
      const ofBuffer = (chunks[message.buffer] ??= [])
      ofBuffer.push(message.chunk)
      return
    }
    const buffers = chunks.map((ofBuffer) => Buffer.concat(ofBuffer))
    chunks = []
    void answer(message.input as Input, buffers).then(
      (output) => reply({ output }),
      (error: unknown) => reply({ defect: withoutData(error) }),
    )
  })
  process.send?.('ready')
}

/** When memory is short, Linux kills this process rather than the service, which may take more at that time. */
function endBeforeService(): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Where `/proc` cannot be written, Linux chooses by size.
  }
}

/** Runs in a thread: during a call that does not end, the event loop does not notice that the service is gone. */
function endWithService(service: number): void {
  setInterval(() => {
    // The parent of an orphan is another process. Windows ends child processes itself.
    if (process.ppid !== service) process.kill(process.pid, 'SIGKILL')
  }, 1000)
}
