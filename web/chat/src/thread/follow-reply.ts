import { backoffMs, pause } from '@assay/contract/backoff.ts'
import type { ChatFinding } from '@assay/contract/chat-scan.ts'
import type { ChatEvent, FinishReason } from '@assay/contract/chat-stream.ts'
import { ApiError } from '@assay/contract/client.ts'
import { readEvents, watchSilence } from '@assay/contract/event-stream.ts'

/*
 * Reads a reply to its end, over as many connections as it takes. Every connection has the reply from its beginning.
 */

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

export interface ReplySource {
  /** Sends the message. A repeated call joins the reply of the first; absent if the reply has already begun. */
  readonly open?: (signal: AbortSignal) => Promise<Body>
  readonly join: (messageId: string, signal: AbortSignal) => Promise<Body>
}

export type ReplyOutcome =
  | { readonly type: 'done'; readonly finishReason: FinishReason }
  /** The provider failed, or the time was over. What arrived is kept. */
  | { readonly type: 'failed'; readonly message: string; readonly isTimeout: boolean }
  /** Held back, because of what the message contains. Nothing was stored. */
  | { readonly type: 'held'; readonly findings: readonly ChatFinding[] }
  /** The request was refused. */
  | { readonly type: 'refused'; readonly error: ApiError }
  | { readonly type: 'left' }

export interface ReplyReader {
  /** The events that follow repeat the reply from its beginning. */
  readonly onConnection: () => void
  readonly onEvent: (event: ChatEvent) => void
  /** The connection was lost; another attempt follows. */
  readonly onLost: () => void
}

const openingAttempts = 4

/** Reads until the reply has ended, it is refused, or `signal` aborts, which does not stop the reply. */
export async function followReply(
  source: ReplySource,
  messageId: string | undefined,
  reader: ReplyReader,
  signal: AbortSignal,
  wait: (failures: number) => Promise<void> = (failures) => pause(backoffMs(failures), signal),
): Promise<ReplyOutcome> {
  let replyId = messageId
  let failures = 0
  while (true) {
    const lost = new AbortController()
    try {
      const either = AbortSignal.any([signal, lost.signal])
      const body = await connect(source, replyId, either)
      reader.onConnection()
      const end = await readConnection(body, lost, (event) => {
        if (event.type === 'start') {
          replyId = event.message_id
          failures = 0
        }
        reader.onEvent(event)
      })
      if (end !== undefined) return end
    } catch (error) {
      if (!signal.aborted && isRefusal(error)) return { type: 'refused', error }
      if (replyId === undefined && failures + 1 >= openingAttempts && error instanceof ApiError) {
        return { type: 'refused', error }
      }
    } finally {
      lost.abort()
    }
    if (signal.aborted) return { type: 'left' }
    reader.onLost()
    await wait(failures)
    if (signal.aborted) return { type: 'left' }
    failures += 1
  }
}

function connect(
  source: ReplySource,
  replyId: string | undefined,
  signal: AbortSignal,
): Promise<Body> {
  if (replyId !== undefined) return source.join(replyId, signal)
  if (source.open === undefined) throw new Error('A reply without an id cannot be joined.')
  return source.open(signal)
}

/** An answer of the service, as opposed to none, or one of a proxy in front of it. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== 'UNREACHABLE'
}

/** Returns undefined for a connection that ended before the reply did, or that has a gap. */
async function readConnection(
  body: Body,
  lost: AbortController,
  onEvent: (event: ChatEvent) => void,
): Promise<ReplyOutcome | undefined> {
  const silence = watchSilence(() => lost.abort())
  let next = 0
  let findings: readonly ChatFinding[] | undefined
  let failure: string | undefined
  try {
    for await (const message of readEvents(body, silence.onActivity)) {
      const event = JSON.parse(message) as ChatEvent
      if (event.seq !== next) return undefined
      next += 1
      if (event.type === 'pii') findings = event.findings
      else if (event.type === 'error') failure = event.message
      else if (event.type === 'done') return toOutcome(event.finish_reason, failure)
      else onEvent(event)
    }
  } finally {
    silence.end()
  }
  if (findings !== undefined) return { type: 'held', findings }
  return failure === undefined ? undefined : { type: 'failed', message: failure, isTimeout: false }
}

function toOutcome(finishReason: FinishReason, failure: string | undefined): ReplyOutcome {
  if (failure === undefined) return { type: 'done', finishReason }
  return { type: 'failed', message: failure, isTimeout: finishReason === 'timeout' }
}
