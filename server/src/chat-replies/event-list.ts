import type { ChatEvent } from '@assay/contract/chat-stream.ts'

/*
 * The events of one reply, once, for any number of readers. Each reader has a position in it, so that one that reads
 * slowly needs no memory of its own.
 */

/** An event without `seq`, which is its position. */
export type NewChatEvent = ChatEvent extends infer Event
  ? Event extends ChatEvent
    ? Omit<Event, 'seq'>
    : never
  : never

export interface EventList {
  append(event: NewChatEvent): void
  /** Readers end after the last event. */
  close(): void
  /** All events from the first one on. Ends early when the signal aborts, or the reader is too far behind. */
  read(signal: AbortSignal): AsyncIterable<ChatEvent>
}

export interface EventListLimits {
  /** Deltas of one type that follow each other within this time become one event. */
  readonly mergeMs: number
  /** Of the text of such an event. */
  readonly mergeLength: number
  /** How much a reader may be behind what was appended since it came: of the events as they are sent. */
  readonly behindBytes: number
}

const usualLimits: EventListLimits = {
  mergeMs: 30,
  mergeLength: 1024,
  behindBytes: 1_000_000,
}

/** Of the events that are merged. Beyond it, a delta joins the last one of its type: each event takes memory. */
const pendingMax = 3

interface Pending {
  readonly type: 'text' | 'reasoning'
  delta: string
}

export function openEventList(changed: Partial<EventListLimits> = {}): EventList {
  const { mergeMs, mergeLength, behindBytes } = { ...usualLimits, ...changed }
  const events: ChatEvent[] = []
  /** By event: the size of it and all before. */
  const sizes: number[] = []
  const { wait, wake } = openWaiters()
  let pending: Pending[] = []
  let timer: NodeJS.Timeout | undefined
  let mergedAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  const totalBytes = () => sizes.at(-1) ?? 0
  const publish = (event: NewChatEvent) => {
    events.push({ ...event, seq: events.length })
    sizes.push(totalBytes() + Buffer.byteLength(JSON.stringify(event)))
    wake()
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (pending.length === 0) return
    const merged = pending
    pending = []
    mergedAt = performance.now()
    for (const event of merged) publish(event)
  }
  const merge = (type: Pending['type'], delta: string) => {
    const open = pending.slice(pending.length < pendingMax ? -1 : 0)
    const event = open.findLast((one) => one.type === type)
    if (event === undefined) pending.push({ type, delta })
    else event.delta += delta
    const remainingMs = mergeMs - (performance.now() - mergedAt)
    if (remainingMs <= 0 || (event?.delta ?? delta).length >= mergeLength) flush()
    else timer ??= setTimeout(flush, remainingMs)
  }

  return {
    append(event) {
      if (event.type === 'text' || event.type === 'reasoning') {
        merge(event.type, event.delta)
        return
      }
      flush()
      publish(event)
    },

    close() {
      flush()
      isClosed = true
      wake()
    },

    async *read(signal) {
      const before = totalBytes()
      signal.addEventListener('abort', wake)
      try {
        for (let at = 0; !signal.aborted; ) {
          const event = events[at]
          if (event === undefined) {
            if (isClosed) return
            await wait()
            continue
          }
          const readBytes = Math.max(sizes[at - 1] ?? 0, before)
          if (totalBytes() - readBytes > behindBytes) return
          yield event
          at += 1
        }
      } finally {
        signal.removeEventListener('abort', wake)
      }
    },
  }
}

function openWaiters() {
  const waiting = new Set<() => void>()
  return {
    wait: () => new Promise<void>((resolve) => waiting.add(resolve)),
    wake() {
      for (const resume of waiting) resume()
      waiting.clear()
    },
  }
}
