import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Notifications } from '../platform/notifications.ts'

/*
 * What the process that writes a reply, and those where it is read or stopped, send each other. The text itself goes
 * through the row of the reply: its writer stores it often while it is read elsewhere.
 */

const message = z.object({
  /** `read`: to the writer, that somebody reads. `stored`: from the writer, that there is more to read. */
  type: z.enum(['read', 'stored', 'stop']),
  userId: z.string(),
  messageId: z.string(),
})
type Message = z.output<typeof message>

/** The user must be the owner of the reply: whoever calls has checked that. */
export interface RepliesElsewhere {
  /** Of a reply that another process writes. */
  follow(userId: string, messageId: string): FollowedReply
  /** Stops a reply that another process writes. */
  stop(userId: string, messageId: string): void
}

export interface FollowedReply {
  /** Resolves when the writer has stored more, after a second, and when the signal aborts. */
  more(signal: AbortSignal): Promise<void>
  end(): void
}

/** What the writers of this process do. */
export interface WrittenHere {
  readElsewhere(userId: string, messageId: string): void
  stop(userId: string, messageId: string): void
}

/** In case a message is lost. */
const pollMs = 1_000
/** Longer than a writer waits between two checks while nothing is delivered. */
const afterGapMs = 3_000
/** Well within the time for which a writer remembers its readers. */
const announceMs = 2_000

export function openRepliesElsewhere(notifications: Notifications, here: WrittenHere) {
  const send = (each: Message) => notifications.send('replies', each)
  const followers = new Map<string, Set<() => void>>()
  const wake = ({ userId, messageId }: Message) => {
    for (const resume of followers.get(keyOf(userId, messageId)) ?? []) resume()
  }
  let gapAt = Number.NEGATIVE_INFINITY
  const stopListening = notifications.listen('replies', {
    onMessage(received) {
      const { data } = message.safeParse(received)
      if (data?.type === 'stored') wake(data)
      if (data?.type === 'read') here.readElsewhere(data.userId, data.messageId)
      if (data?.type === 'stop') here.stop(data.userId, data.messageId)
    },
    onGap() {
      gapAt = performance.now()
    },
  })

  const follow = (userId: string, messageId: string): FollowedReply => {
    const key = keyOf(userId, messageId)
    const ofReply = followers.get(key) ?? new Set()
    let { promise, resolve } = Promise.withResolvers<void>()
    const resume = () => resolve()
    followers.set(key, ofReply.add(resume))
    let announcedAt = Number.NEGATIVE_INFINITY
    return {
      async more(signal) {
        if (performance.now() - announcedAt >= announceMs) {
          announcedAt = performance.now()
          send({ type: 'read', userId, messageId })
        }
        const waiting = new AbortController()
        const limit = AbortSignal.any([signal, waiting.signal])
        await Promise.race([
          promise,
          sleep(pollMs, undefined, { signal: limit }).catch(() => undefined),
        ])
        waiting.abort()
        ;({ promise, resolve } = Promise.withResolvers<void>())
      },
      end() {
        ofReply.delete(resume)
        if (ofReply.size === 0 && followers.get(key) === ofReply) followers.delete(key)
      },
    }
  }
  return {
    follow,
    stop: (userId: string, messageId: string) => send({ type: 'stop', userId, messageId }),
    /** For those who read the reply elsewhere. */
    stored: (userId: string, messageId: string) => send({ type: 'stored', userId, messageId }),
    /** Also false for a moment after a gap: each reply may have been stopped, and its writer has to check. */
    isConnected: () => notifications.isConnected() && performance.now() - gapAt > afterGapMs,
    stopListening,
  }
}

const keyOf = (userId: string, messageId: string) => `${userId} ${messageId}`
