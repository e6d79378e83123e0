import { backoffMs, pause } from '@assay/contract/backoff.ts'
import { readEvents, watchSilence } from '@assay/contract/event-stream.ts'
import type { LiveMessage, Trace } from '@assay/contract/traces.ts'

/*
 * The live stream of a project, which reconnects automatically.
 */

export type LiveEvent =
  | { readonly type: 'connecting' }
  /** Connected or reconnected, or some changes are missing: earlier changes must be fetched. */
  | { readonly type: 'connected' }
  /** Disconnected until the next attempt. */
  | { readonly type: 'waiting' }
  | { readonly type: 'trace'; readonly trace: Trace }
  /** Signed out, or no longer a member. The stream does not reconnect. */
  | { readonly type: 'refused'; readonly status: number }

/** Follows the stream at a path until `signal` aborts, or it is refused. */
export async function followStream(
  path: string,
  onEvent: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    onEvent({ type: 'connecting' })
    const lost = new AbortController()
    try {
      const response = await fetch(path, {
        credentials: 'same-origin',
        headers: { accept: 'text/event-stream' },
        signal: AbortSignal.any([signal, lost.signal]),
      })
      if (isRefusal(response)) return onEvent({ type: 'refused', status: response.status })
      if (response.ok && response.body !== null) {
        failures = 0
        onEvent({ type: 'connected' })
        await readStream(response.body, onEvent, lost)
      }
    } catch {
      // The service cannot be reached, or the connection was lost.
    }
    if (signal.aborted) return
    onEvent({ type: 'waiting' })
    await pause(backoffMs(failures), signal)
    failures += 1
  }
}

function isRefusal({ status }: Response): boolean {
  return status === 401 || status === 403 || status === 404
}

async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEvent: (event: LiveEvent) => void,
  lost: AbortController,
): Promise<void> {
  const silence = watchSilence(() => lost.abort())
  try {
    for await (const message of readEvents(body, silence.onActivity)) {
      const value = JSON.parse(message) as LiveMessage | { readonly type: 'error' }
      if (!('type' in value)) onEvent({ type: 'trace', trace: value })
      else if (value.type === 'reload') onEvent({ type: 'connected' })
      // The service could not continue the stream.
      else return
    }
  } finally {
    silence.end()
  }
}
