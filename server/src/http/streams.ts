import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { ReadyJson } from './call.ts'

/*
 * Streamed responses: server-sent events and newline-delimited JSON. A client that stops reading is disconnected,
 * an idle stream sends keep-alives, and nothing is buffered beyond the socket's own buffer.
 */

export interface StreamForm {
  readonly contentType: string
  readonly message: (json: string) => string
  /** Sent after a silence, so that proxies keep the connection open. */
  readonly keepAwake: string
  /** Whether it has an end, so that the client must learn when it is cut off. */
  readonly isFinite: boolean
}

export const eventStream: StreamForm = {
  contentType: 'text/event-stream; charset=utf-8',
  message: (json) => `data: ${json}\n\n`,
  keepAwake: ': still here\n\n',
  isFinite: false,
}

export const jsonLines: StreamForm = {
  contentType: 'application/x-ndjson; charset=utf-8',
  message: (json) => `${json}\n`,
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
  { signal, recheck, report }: StreamControl,
): Promise<void> {
  response.writeHead(200, {
    'content-type': form.contentType,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  response.flushHeaders()
  const awake = setInterval(() => response.write(form.keepAwake), keepAwakeMs)
  try {
    for await (const value of source) {
      await recheck()
      if (signal.aborted) break
      const json = value instanceof ReadyJson ? value.parts.join('') : JSON.stringify(value)
      await write(response, form.message(json), signal)
    }
    if (signal.aborted && form.isFinite) response.write(form.message(JSON.stringify(cutOff)))
  } catch (error) {
    if (!signal.aborted && !response.destroyed) {
      report(error)
      response.write(form.message(JSON.stringify(streamFailure)))
    }
  } finally {
    clearInterval(awake)
    response.end()
  }
}

const streamFailure = { type: 'error', message: 'An unexpected error occurred.' }
const cutOff = { type: 'error', message: 'The stream ended before it was complete.' }

async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (response.destroyed || response.write(text)) return
  const end = AbortSignal.any([signal, AbortSignal.timeout(stalledMs)])
  // Rejects when the client has not read for too long, or the stream is to end; the socket is then unusable.
  await once(response, 'drain', { signal: end }).catch((error: unknown) => {
    response.destroy()
    throw error
  })
}
