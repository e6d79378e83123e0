import { unreachable } from './connection-errors.ts'

/*
 * Notices within a second that ClickHouse does not respond. While statements run and nothing arrives from the server, it is
 * sent a ping, which every server that works responds to at once. Without a response, running statements end, and new ones
 * are refused until a later ping succeeds. A slow statement alone is no reason: others, or the ping, get their responses.
 */

export interface ServerWatch {
  /** Throws `Unavailable` while the server does not respond. */
  begin(): WatchedStatement
  /** Whether the server responds now. */
  probe(): Promise<boolean>
  close(): void
}

export interface WatchedStatement {
  /** Aborts with `Unavailable` when the server stops responding. */
  readonly signal: AbortSignal
  /** To be called when something arrives. */
  onResponse(): void
  /** To be called when its connection has failed. */
  onConnectionError(): void
  end(): void
}

export interface WatchSettings {
  /** Resolves with the reason when the server has not responded, and with undefined when it has. */
  readonly ping: (signal: AbortSignal) => Promise<Error | undefined>
  /** Called with the reason when the server has stopped responding, and with undefined when it responds again. */
  readonly onChange: (failure: Error | undefined) => void
}

/** Together under a second. */
const quietMs = 250
const pingMs = 650
const lateMs = 50
/** Between pings of a server that does not respond. */
const retryMs = 500

export function openServerWatch({ ping, onChange }: WatchSettings): ServerWatch {
  const running = new Set<AbortController>()
  const closed = new AbortController()
  /** Why the server is not reachable; undefined while it is. */
  let cause: Error | undefined
  let lastResponseAt = -Infinity
  /** Since when nothing has arrived while statements ran. */
  let quietSince = 0
  let pinging: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const quietFor = () => performance.now() - quietSince
  const checkLater = () => {
    const delayMs = cause === undefined ? Math.max(1, quietMs - quietFor()) : retryMs
    timer ??= setTimeout(check, delayMs).unref()
  }
  const check = () => {
    timer = undefined
    if (closed.signal.aborted || (cause === undefined && running.size === 0)) return
    if (cause !== undefined || quietFor() >= quietMs) void pingServer()
    else checkLater()
  }
  const pingServer = async () => {
    pinging ??= pingOnce().finally(() => {
      pinging = undefined
    })
    await pinging
  }
  const pingOnce = async () => {
    const startedAt = performance.now()
    const attempt = openAttempt(pingMs)
    const signal = AbortSignal.any([closed.signal, attempt.signal])
    const failure = await ping(signal).catch((error: Error) => error)
    attempt.end()
    if (closed.signal.aborted) return
    if (failure === undefined) quietSince = performance.now()
    // A response to another statement counts as well.
    setFailure(lastResponseAt >= startedAt ? undefined : failure)
    checkLater()
  }
  const setFailure = (failure: Error | undefined) => {
    const hasChanged = (cause === undefined) !== (failure === undefined)
    cause = failure
    if (!hasChanged) return
    onChange(failure)
    if (failure !== undefined) abortAll(running, unreachable({ cause: failure }))
  }
  return {
    begin() {
      if (cause !== undefined) throw unreachable({ cause })
      if (running.size === 0) quietSince = performance.now()
      const controller = new AbortController()
      running.add(controller)
      checkLater()
      return {
        signal: controller.signal,
        onResponse() {
          lastResponseAt = performance.now()
          quietSince = lastResponseAt
        },
        onConnectionError: () => void pingServer(),
        end: () => running.delete(controller),
      }
    },
    async probe() {
      // Pings follow one another by themselves while the server does not respond.
      if (cause === undefined) await pingServer()
      return cause === undefined
    },
    close() {
      closed.abort()
      clearTimeout(timer)
    },
  }
}

function abortAll(running: Iterable<AbortController>, reason: Error): void {
  for (const statement of running) statement.abort(reason)
}

/** Aborts after a time in which this process could have read a response. */
function openAttempt(timeMs: number) {
  const controller = new AbortController()
  let timer: NodeJS.Timeout
  const start = () => {
    const endsAt = performance.now() + timeMs
    timer = setTimeout(() => {
      // Timers of a busy process are late, and before what has arrived meanwhile.
      if (performance.now() > endsAt + lateMs) start()
      else setImmediate(() => controller.abort())
    }, timeMs)
  }
  start()
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}
