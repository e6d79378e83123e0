import { base } from '@assay/account/api/base.ts'
import { ApiError, openStream } from '@assay/contract/client.ts'
import type { AnyEndpoint, Args, DataOf } from '@assay/contract/endpoint.ts'

/*
 * Reads streams of JSON lines. Blank lines keep the connection open and are skipped.
 */

interface Event {
  readonly type: string
}

/**
 * Sends the request and calls back with each line. Resolves after the `completed` line. Rejects with the message of an
 * `error` line, if the stream ends before either, and if `signal` aborts.
 */
export async function followLines<E extends AnyEndpoint>(
  declared: E,
  args: Args<E>,
  onEvent: (event: DataOf<E>) => void,
  signal: AbortSignal,
): Promise<void> {
  const body = await openStream(base, declared, args, { signal })
  const readLines = lineReader()
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  while (true) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      signal.throwIfAborted()
      throw lostConnection(cause)
    })
    if (done) throw lostConnection()
    for (const line of readLines(value)) {
      const event = JSON.parse(line) as Event & { readonly message?: string }
      if (event.type === 'error') throw new ApiError(200, 'STREAM_ERROR', event.message ?? '')
      onEvent(event as DataOf<E>)
      if (event.type === 'completed') return
    }
  }
}

function lostConnection(cause?: unknown): ApiError {
  const error = new ApiError(0, 'UNREACHABLE', 'The connection to the service was lost.')
  return cause === undefined ? error : Object.assign(error, { cause })
}

/** Splits chunks of text of any size into the complete lines that are not blank. A line may have many chunks. */
export function lineReader(): (piece: string) => readonly string[] {
  let parts: string[] = []
  return (piece) => {
    const [first = '', ...others] = piece.split('\n')
    parts.push(first)
    const rest = others.pop()
    if (rest === undefined) return []
    const lines = [parts.join(''), ...others]
    parts = [rest]
    return lines.filter((line) => line.trim() !== '')
  }
}
