import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { ReadyJson } from './call.ts'

/*
 * Answers that go on: server-sent events and newline-delimited JSON. A reader that stops reading is cut,
 * a quiet stream is kept awake, and nothing is buffered beyond what the socket holds.
 */

export interface StreamForm {
  readonly contentType: string
  readonly message: (json: string) => string
  /** Sent after a silence, so that proxies keep the connection. */
  readonly keepAwake: string
}

export const eventStream: StreamForm = {
  contentType: 'text/event-stream; charset=utf-8',
  message: (json) => `data: ${json}\n\n`,
  keepAwake: ': still here\n\n',
}

export const jsonLines: StreamForm = {
  contentType: 'application/x-ndjson; charset=utf-8',
  message: (json) => `${json}\n`,
  keepAwake: '\n',
}

const keepAwakeMs = 15_000
const stalledMs = 60_000

/** Source: interface specification, "Streaming endpoints may run for up to 800 seconds". */
export const longestStreamMs = 800_000

/**
 * Writes each value as it comes until the source ends; a source must end when `signal` aborts (the client
 * has gone, the time is up, the server stops). A source that fails is told to the client as an `error`
 * message: the status is long sent.
 */
export async function sendStream(
  response: ServerResponse,
  form: StreamForm,
  source: AsyncIterable<unknown>,
  signal: AbortSignal,
  report: (error: unknown) => void,
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
      const json = value instanceof ReadyJson ? value.text : JSON.stringify(value)
      await write(response, form.message(json))
    }
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

async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return
  // Rejects when the reader has stalled for too long; the socket is then of no use.
  await once(response, 'drain', { signal: AbortSignal.timeout(stalledMs) }).catch(
    (error: unknown) => {
      response.destroy()
      throw error
    },
  )
}
