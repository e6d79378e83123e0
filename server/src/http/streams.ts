import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Unavailable } from '../platform/failure.ts'
import { type JsonPart, JsonPieces } from './call.ts'
import { splitBytes } from './pieces.ts'

/*
 * Streamed responses: server-sent events and newline-delimited JSON. A client that stops reading is disconnected,
 * an idle stream sends keep-alives, and nothing is buffered beyond the socket's own buffer.
 */

export interface StreamForm {
  readonly contentType: string
  /** What surrounds the JSON of a message. */
  readonly frame: readonly [before: string, after: string]
  /** Sent after a silence, so that proxies keep the connection open. */
  readonly keepAwake: string
  /** Whether it has an end, so that the client must learn when it is cut off. */
  readonly isFinite: boolean
}

export const eventStream: StreamForm = {
  contentType: 'text/event-stream; charset=utf-8',
  frame: ['data: ', '\n\n'],
  keepAwake: ': still here\n\n',
  isFinite: false,
}

export const jsonLines: StreamForm = {
  contentType: 'application/x-ndjson; charset=utf-8',
  frame: ['', '\n'],
  keepAwake: '\n',
  isFinite: true,
}

const keepAwakeMs = 15_000
const stalledMs = 60_000

/** Source: interface specification, "Streaming endpoints may run for up to 800 seconds". */
export const longestStreamMs = 800_000

export interface StreamControl {
  /** Ends the stream. */
  readonly signal: AbortSignal
  /** Awaited before each value; may abort the signal. */
  readonly recheck: () => Promise<void>
  /**
   * Called with the size of a part of a value that is read while it is sent; what it returns is called when the part is
   * in the socket's buffer. Throws Unavailable when too many bytes wait for the caller.
   */
  readonly hold: (bytes: number) => () => void
  readonly report: (error: unknown) => void
}

/**
 * Writes each value as it arrives until the source ends. A source must end when the signal aborts. A source that fails,
 * or is cut off, is reported to the client as an `error` message, because the status has been sent.
 */
export async function sendStream(
  response: ServerResponse,
  form: StreamForm,
  source: AsyncIterable<unknown>,
  { signal, recheck, hold, report }: StreamControl,
): Promise<void> {
  response.writeHead(200, {
    'content-type': form.contentType,
    // A proxy that compresses a stream delays it.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    // Kept alive, it would be idle when the service stops, which waits for all connections for some seconds.
    connection: 'close',
  })
  response.flushHeaders()
  const [before, after] = form.frame
  const toMessage = (value: unknown) => `${before}${JSON.stringify(value)}${after}`
  let isWithinMessage = false
  const awake = setInterval(() => {
    if (!isWithinMessage) response.write(form.keepAwake)
  }, keepAwakeMs)
  const endMessage = () => {
    isWithinMessage = false
    awake.refresh()
  }
  const writeValue = async (value: unknown) => {
    isWithinMessage = true
    await write(response, toMessage(value), signal)
    endMessage()
  }
  const writePieces = async ({ pieces }: JsonPieces) => {
    response.write(before)
    isWithinMessage = true
    for await (const piece of pieces) {
      await recheck()
      if (signal.aborted) return
      const release = hold(typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength)
      await write(response, piece, signal).finally(release)
    }
    response.write(after)
    endMessage()
  }
  let problem: StreamProblem | undefined
  try {
    for await (const value of source) {
      await recheck()
      if (signal.aborted) break
      if (value instanceof JsonPieces) await writePieces(value)
      else await writeValue(value)
    }
  } catch (error) {
    // When the signal aborts, so do the reads of the source.
    if (!signal.aborted && !response.destroyed) {
      report(error)
      problem = toProblem(error)
    }
  }
  clearInterval(awake)
  if (signal.aborted && form.isFinite) problem = cutOff
  if (problem !== undefined && !response.destroyed) {
    response.write((isWithinMessage ? after : '') + toMessage(problem))
  }
  response.end()
}

interface StreamProblem {
  readonly type: 'error'
  readonly message: string
}

function toProblem(error: unknown): StreamProblem {
  const message = error instanceof Unavailable ? error.message : 'An unexpected error occurred.'
  return { type: 'error', message }
}

const cutOff: StreamProblem = { type: 'error', message: 'The stream ended before it was complete.' }

async function write(response: ServerResponse, part: JsonPart, signal: AbortSignal): Promise<void> {
  const bytes = typeof part === 'string' ? Buffer.from(part) : part
  for (const piece of splitBytes(bytes)) {
    if (response.destroyed) return
    if (!response.write(piece)) await drain(response, signal)
  }
}

/** Rejects when the client has not read for too long, or the stream is to end; the socket is then unusable. */
async function drain(response: ServerResponse, signal: AbortSignal): Promise<void> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(stalledMs)])
  await once(response, 'drain', { signal: end }).catch((error: unknown) => {
    response.destroy()
    throw error
  })
}
