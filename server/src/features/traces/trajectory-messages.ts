import type { Trajectory } from '@assay/contract/export.ts'
import type { JsonText } from '../../domain/json-text.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Work } from '../../ingest-workers/messages.ts'

/*
 * Extracts messages from the input and output of a model call: the only part of an export that must be
 * parsed.
 */

export interface ModelCallContent {
  readonly input: JsonText
  readonly output: JsonText
}

export const readMessagesTask: Work<ModelCallContent, JsonText> = {
  name: 'read messages for an export',
}

/**
 * Up to this length, the round trip to the thread costs more than the work, and the work delays no other
 * request.
 */
const smallLength = 64 * 1024

/** A JSON list of messages on one line. Large texts are parsed in another thread. */
export async function readMessagesText(
  projectId: string,
  content: ModelCallContent,
  ingestWorkers: IngestWorkers,
): Promise<JsonText> {
  const length = content.input.length + content.output.length
  if (length <= smallLength) return readMessages(content)
  const load = { projectId, sizeBytes: 2 * length, parts: [] }
  return ingestWorkers.run(readMessagesTask, content, load)
}

export function readMessages({ input, output }: ModelCallContent): JsonText {
  return JSON.stringify([
    ...parseMessages(JSON.parse(input), 'user'),
    ...parseMessages(JSON.parse(output), 'assistant'),
  ]) as JsonText
}

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
