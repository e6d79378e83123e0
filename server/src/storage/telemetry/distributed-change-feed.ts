import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { maxMessageBytes, type Notifications } from '../../platform/notifications.ts'
import { type OpenChangeFeed, openChangeFeed } from './change-feed.ts'
import type { ChangedTraces } from './port/change-feed.ts'
import { openRecentChanges, withChanged } from './recent-changes.ts'

/*
 * The change feed of an engine that several processes write to. Changes of this process are delivered from memory, and
 * sent to the others for projects that are watched there:
 *
 * A process sends which projects it watches, at once for a new one, and again before that expires. It then gets the changes that
 * the others have made since shortly before, so that none is missed between subscribing and the first message. Projects that nobody watches
 * cost no message, unless the process receives none: it then sends all changes, as others may watch.
 *
 * A change is sent at once, and those that follow it closely are merged. More than a message has room for are sent as unknown, as are those
 * around a gap in the notifications: watchers then read again what they watch. While the connection is lost, they do so
 * every few seconds.
 */

export interface DistributedChangeFeed extends OpenChangeFeed {
  /** Has the watchers of this process read again what they watch. */
  readAgain(): void
  close(): void
}

export interface DistributedChangeFeedPorts {
  readonly notifications: Notifications
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
}

export interface ChangeFeedTimes {
  /** Between two messages with changes: those in between are merged. */
  readonly mergeMs: number
  /** How long others take a project for watched, and how often they are sent that it is. */
  readonly watchedMs: number
  readonly renewMs: number
  /** Longer than a message of a new watcher takes to arrive. */
  readonly recentMs: number
  /** How often watchers read again while nothing is delivered. */
  readonly pollMs: number
}

const usualTimes: ChangeFeedTimes = {
  mergeMs: 200,
  watchedMs: 60_000,
  renewMs: 20_000,
  recentMs: 10_000,
  pollMs: 5_000,
}

/** Of a project, in one message or remembered: they fit together with their project, whatever their ids. */
const idBytesMax = 5_000
const projectsAtOnce = 150

const projectIds = z.array(z.string())
const message = z.discriminatedUnion('type', [
  /** From a process that does not know who watches what. */
  z.object({ type: z.literal('who watches') }),
  z.object({ type: z.literal('watched'), projectIds }),
  z.object({
    type: z.literal('changed'),
    changes: z.array(z.tuple([z.string(), z.array(z.string()).nullable()])),
  }),
])
type Message = z.output<typeof message>

export function openDistributedChangeFeed(
  { notifications, clock, log }: DistributedChangeFeedPorts,
  changed: Partial<ChangeFeedTimes> = {},
): DistributedChangeFeed {
  const times = { ...usualTimes, ...changed }
  const local = openChangeFeed(log)
  const watchedElsewhere = new Map<string, number>()
  const recent = openRecentChanges(clock, { keptMs: times.recentMs, idBytesMax })
  const send = (each: Message) => notifications.send('trace changes', each)
  const outgoing = openOutgoing(send, clock, times.mergeMs)

  const isWatchedElsewhere = (projectId: string) =>
    (watchedElsewhere.get(projectId) ?? Number.NEGATIVE_INFINITY) > clock.monotonicMs()
  /** A process that hears nothing can still send. */
  const mayBeWatchedElsewhere = (projectId: string) =>
    !notifications.isConnected() || isWatchedElsewhere(projectId)
  const sendWatched = () => {
    for (const some of chunks(local.listWatched())) send({ type: 'watched', projectIds: some })
  }
  const onWatched = (projectId: string) => {
    if (!isWatchedElsewhere(projectId)) outgoing.add(projectId, recent.of(projectId))
    watchedElsewhere.set(projectId, clock.monotonicMs() + times.watchedMs)
  }
  const onMessage = (received: unknown) => {
    const { data } = message.safeParse(received)
    if (data?.type === 'who watches') sendWatched()
    if (data?.type === 'watched') data.projectIds.forEach(onWatched)
    if (data?.type !== 'changed') return
    for (const [projectId, traceIds] of data.changes) local.notify([{ projectId, traceIds }])
  }
  const readAgain = () =>
    local.notify(local.listWatched().map((projectId) => ({ projectId, traceIds: null })))
  const onGap = () => {
    send({ type: 'who watches' })
    sendWatched()
    readAgain()
  }
  const stopListening = notifications.listen('trace changes', { onMessage, onGap })
  send({ type: 'who watches' })
  const renewal = setInterval(() => {
    sendWatched()
    for (const projectId of watchedElsewhere.keys()) {
      if (!isWatchedElsewhere(projectId)) watchedElsewhere.delete(projectId)
    }
  }, times.renewMs).unref()
  const polling = setInterval(() => {
    if (!notifications.isConnected()) readAgain()
  }, times.pollMs).unref()

  return {
    notify(changes) {
      local.notify(changes)
      for (const { projectId, traceIds } of changes) {
        recent.add(projectId, traceIds)
        if (mayBeWatchedElsewhere(projectId)) outgoing.add(projectId, traceIds)
      }
    },
    isWatched: (projectId) => local.isWatched(projectId) || mayBeWatchedElsewhere(projectId),
    watchChanges(projectId, listener) {
      const isFirst = !local.isWatched(projectId)
      const end = local.watchChanges(projectId, listener)
      if (isFirst) send({ type: 'watched', projectIds: [projectId] })
      return end
    },
    readAgain,
    close() {
      stopListening()
      clearInterval(renewal)
      clearInterval(polling)
      outgoing.flush()
    },
  }
}

/** Merges changes until they may be sent, and packs them into few messages. */
function openOutgoing(
  send: (message: Message) => void,
  clock: Pick<Clock, 'monotonicMs'>,
  mergeMs: number,
) {
  let byProject = new Map<string, ChangedTraces>()
  let timer: NodeJS.Timeout | undefined
  let sentAtMs = Number.NEGATIVE_INFINITY
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    sentAtMs = clock.monotonicMs()
    let changes: [string, string[] | null][] = []
    let bytes = 0
    const sendChanges = () => {
      if (changes.length > 0) send({ type: 'changed', changes })
      changes = []
      bytes = 0
    }
    for (const [projectId, traceIds] of byProject) {
      const change: (typeof changes)[number] = [projectId, traceIds && [...traceIds]]
      const changeBytes = Buffer.byteLength(JSON.stringify(change)) + 1
      // The rest is around the changes.
      if (bytes + changeBytes > maxMessageBytes - 100) sendChanges()
      changes.push(change)
      bytes += changeBytes
    }
    byProject = new Map()
    sendChanges()
  }
  return {
    add(projectId: string, traceIds: ChangedTraces) {
      if (traceIds?.length === 0) return
      byProject.set(projectId, withChanged(byProject.get(projectId) ?? [], traceIds, idBytesMax))
      // Even the first one waits for its turn of the event loop, in which others often follow.
      timer ??= setTimeout(flush, Math.max(0, sentAtMs + mergeMs - clock.monotonicMs()))
    },
    flush,
  }
}

function* chunks(ids: readonly string[]): Iterable<string[]> {
  for (let at = 0; at < ids.length; at += projectsAtOnce) yield ids.slice(at, at + projectsAtOnce)
}
