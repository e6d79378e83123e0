import type { Trajectory } from '@assay/contract/export.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Work } from '../../ingest-workers/messages.ts'
import type { Requester } from '../../platform/requester.ts'

/*
 * Extracts messages from the input and output of a model call: the only part of an export that must be
 * parsed.
 */

/** Of a span in the JSON of the API, in UTF-8. */
export const readMessagesTask: Work<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> = {
  name: 'read messages for an export',
}

/**
 * Up to this size, the round trip to the thread costs more than the work, and the work delays no other
 * request.
 */
const smallBytes = 64 * 1024

/** A JSON list of messages on one line. Large spans are parsed in another thread, to which they are transferred. */
export async function readMessagesJson(
  requester: Requester,
  span: Uint8Array<ArrayBuffer>,
  ingestWorkers: IngestWorkers,
): Promise<Uint8Array> {
  if (span.byteLength <= smallBytes) return readMessages(span)
  const load = { requester, sizeBytes: 2 * span.byteLength, parts: [span] }
  return ingestWorkers.run(readMessagesTask, span, load)
}

export function readMessages(span: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { input, output } = JSON.parse(decoder.decode(span)) as Record<'input' | 'output', unknown>
  const messages = [...parseMessages(input, 'user'), ...parseMessages(output, 'assistant')]
  return encoder.encode(JSON.stringify(messages))
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

type Message = Trajectory['messages'][number]

/** The messages in an input or output, in any wrapper; anything else is the content of one message. */
export function parseMessages(value: unknown, role: string): Message[] {
  if (value === null) return []
  if (isMessage(value)) return [value]
  if (Array.isArray(value) && value.length > 0 && value.every(isMessage)) return value
  const wrapped = typeof value === 'object' ? (value as { messages?: unknown }).messages : undefined
  if (Array.isArray(wrapped) && wrapped.every(isMessage)) return wrapped
  return [{ role, content: value }]
}

function isMessage(value: unknown): value is Message {
  return (
    typeof value === 'object' && value !== null && 'role' in value && typeof value.role === 'string'
  )
}
