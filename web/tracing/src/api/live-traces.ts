import { ApiError, buildPath } from '@assay/contract/client.ts'
import { type Trace, watchTraces } from '@assay/contract/traces.ts'
import { base } from './base.ts'
import { eventReader } from './event-stream.ts'

/*
 * Follows the traces of a project as they are stored. Reconnects automatically, and disconnects while the
 * page is hidden: browsers allow six connections per origin, shared by all tabs.
 */

export type LiveState = 'connecting' | 'live' | 'waiting'

export interface Watcher {
  readonly onTrace: (trace: Trace) => void
  readonly onState: (state: LiveState) => void
  /** Connected or reconnected: earlier changes must be fetched. */
  readonly onConnected: () => void
  /** The stream was refused: signed out, or no longer a member. It does not reconnect. */
  readonly onRefused: (error: ApiError) => void
}

/** Watches until `signal` aborts. */
export async function watch(
  projectId: string,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    await untilVisible(signal)
    if (signal.aborted) return
    watcher.onState('connecting')
    const connection = new AbortController()
    const stop = () => connection.abort()
    const stopWhenHidden = () => document.hidden && connection.abort()
    signal.addEventListener('abort', stop)
    document.addEventListener('visibilitychange', stopWhenHidden)
    try {
      await readStream(
        projectId,
        connection,
        () => {
          failures = 0
          watcher.onState('live')
          watcher.onConnected()
        },
        watcher.onTrace,
      )
    } catch (error) {
      if (error instanceof ApiError && isRefusal(error)) return watcher.onRefused(error)
    } finally {
      signal.removeEventListener('abort', stop)
      document.removeEventListener('visibilitychange', stopWhenHidden)
    }
    watcher.onState('waiting')
    if (!document.hidden) await pause(backoffMs(failures), signal)
    failures += 1
  }
}

function isRefusal({ status }: ApiError): boolean {
  return status === 401 || status === 403 || status === 404
}

/** The service sends a comment every 15 s; after three missed ones the connection counts as lost. */
const silenceMs = 50_000

async function readStream(
  projectId: string,
  connection: AbortController,
  onOpen: () => void,
  onTrace: (trace: Trace) => void,
): Promise<void> {
  const response = await fetch(base + buildPath(watchTraces, { projectId }), {
    credentials: 'same-origin',
    headers: { accept: 'text/event-stream' },
    signal: connection.signal,
  })
  if (!response.ok || response.body === null) {
    throw new ApiError(response.status, 'UNREACHABLE', 'The live stream was refused.')
  }
  onOpen()
  const readMessages = eventReader()
  let silence = setTimeout(() => connection.abort(), silenceMs)
  try {
    for await (const piece of piecesOf(response.body)) {
      clearTimeout(silence)
      silence = setTimeout(() => connection.abort(), silenceMs)
      for (const message of readMessages(piece)) {
        const value = JSON.parse(message) as Trace | { readonly type: 'error' }
        // The service could not continue the stream.
        if ('type' in value) return
        onTrace(value)
      }
    }
  } finally {
    clearTimeout(silence)
  }
}

async function* piecesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  while (true) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

const firstPauseMs = 500
const longestPauseMs = 20_000

function backoffMs(failures: number): number {
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures)
  return pauseMs * (0.75 + Math.random() / 2)
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', settle)
      resolve()
    }
    document.addEventListener('visibilitychange', settle)
    signal.addEventListener('abort', settle, { once: true })
  })
}
