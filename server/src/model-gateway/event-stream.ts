import { OutboundTooLarge } from '../platform/outbound-fetch.ts'
import { openEventReader } from './event-lines.ts'
import type { EventShape } from './event-shapes.ts'
import { membersOf } from './event-usage.ts'
import { NotAStream } from './reply-errors.ts'

/*
 * Server-sent events of a provider, before its client parses them: whole events one by one, each when it is its turn on
 * the event loop. The clients would collect a line without an end, and parse whatever it contains.
 */

export interface EventBounds {
  readonly eventBytesMax: number
  readonly eventsMax: number
  isAllowed(data: Uint8Array): boolean
  /** Awaited before each event is passed on. */
  turn(): Promise<void> | undefined
}

/** Yields each event as one chunk. Throws `OutboundTooLarge` for an event beyond the bounds. */
export async function* readEvents(
  host: string,
  body: AsyncIterable<Uint8Array>,
  { eventBytesMax, eventsMax, isAllowed, turn }: EventBounds,
  shape: EventShape,
): AsyncGenerator<Uint8Array> {
  const reader = openEventReader(eventBytesMax)
  let count = 0
  for await (const received of withEnd(body)) {
    await turn()
    const events = received === 'end' ? reader.end() : reader.push(received)
    if (events === undefined) throw tooLong(host)
    for (const data of events) {
      if (++count > eventsMax) throw tooMany(host)
      await turn()
      const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()
      if (text.trim() === '[DONE]') {
        yield* lastOf(shape)
        return
      }
      if (!isAllowed(data)) throw immodest(host)
      const event = toEvent(text, shape)
      if (event !== undefined) yield event
    }
  }
  if (count === 0) throw new NotAStream()
  yield* lastOf(shape)
}

async function* withEnd(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | 'end'> {
  yield* body
  yield 'end'
}

/** What is not JSON is left to the client, which reports it. */
function toEvent(text: string, shape: EventShape): Uint8Array | undefined {
  const parsed = parse(text)
  if (parsed === undefined) return serialize(text.replaceAll('\n', ' '))
  const value = shape.read(membersOf(parsed.value))
  return value === undefined ? undefined : serialize(JSON.stringify(value))
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function lastOf(shape: EventShape): readonly Uint8Array[] {
  const last = shape.end()
  return last === undefined ? [] : [serialize(JSON.stringify(last))]
}

function serialize(data: string): Uint8Array {
  return Buffer.from(`data: ${data}\n\n`)
}

export function immodest(host: string): OutboundTooLarge {
  return new OutboundTooLarge(host, 'The response has too many values, or is nested too deeply.')
}

export function tooLong(host: string): OutboundTooLarge {
  return new OutboundTooLarge(host, 'The response has an event that is too long.')
}

export function tooMany(host: string): OutboundTooLarge {
  return new OutboundTooLarge(host, 'The response has too many events.')
}
