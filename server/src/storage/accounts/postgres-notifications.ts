import { AsyncLocalStorage } from 'node:async_hooks'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import { Client } from 'pg'
import { z } from 'zod'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import {
  maxMessageBytes,
  type NotificationCounts,
  type NotificationListener,
  type Notifications,
  type NotificationTopic,
} from '../../platform/notifications.ts'
import { withConnectionName } from './connection-name.ts'
import type { Tables } from './tables.ts'

/*
 * Notifications by LISTEN and NOTIFY, on a connection of their own, which is opened for the first listener and
 * opened again when it is lost. Without it, messages are sent through the pool of the accounts database.
 *
 * A process counts as connected when it has received a message that it sent through that pool: a pooler between it and
 * PostgreSQL may accept LISTEN and deliver nothing, or only what the listening connection itself sends.
 */

export interface NotificationPorts {
  readonly url: string
  /** Of the same database. */
  readonly pool: Kysely<Tables>
  readonly log: Log
}

export interface NotificationTimes {
  readonly connectMs: number
  /** How often a message to this process itself shows that the connection works. */
  readonly heartbeatMs: number
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** How long closing waits for what is not sent. */
  readonly closeMs: number
}

const usualTimes: NotificationTimes = {
  connectMs: 2_000,
  heartbeatMs: 5_000,
  firstPauseMs: 100,
  longestPauseMs: 5_000,
  closeMs: 300,
}

const channel = 'assay_notifications'
/** Beyond it, the messages that wait are dropped, and all processes are notified of a gap. */
const waitingMax = 1_000
const sentAtOnce = 100

/**
 * A lost notification is harmless, so that its commit need not wait for the disk. Only its own: a pooler may give the
 * connection to others afterwards.
 */
const notifyStatement = `
  select pg_notify($1, payload)
  from set_config('synchronous_commit', 'off', true), unnest($2::text[]) payload
`

const envelope = z.object({
  from: z.string(),
  topic: z.enum(['trace changes', 'replies', 'jobs', 'prices', 'gap', 'heartbeat']),
  message: z.unknown(),
})
type Topic = z.output<typeof envelope>['topic']

export function openPostgresNotifications(
  { url, pool, log }: NotificationPorts,
  changed: Partial<NotificationTimes> = {},
): Notifications {
  const times = { ...usualTimes, ...changed }
  const self = newId()
  const counts = openCounts()
  const listeners = openListeners(log, counts)
  const outgoing = openOutgoing(self, log, counts)
  const notifyThroughPool = openPoolNotify(pool)
  // What the pool does not send waits for the next message or attempt to connect.
  const sendThroughPool = openSender(outgoing, notifyThroughPool, () => undefined)
  const onPayload = openReceiver(self, listeners)
  const closing = new AbortController()
  let session: Session | undefined
  let isConnected = false
  let running: Promise<void> | undefined

  const sendWaiting = () =>
    isConnected && session !== undefined ? session.send() : sendThroughPool()

  /** Until the connection is lost. */
  const runSession = async (isFirst: boolean) => {
    session = openSession({ url, outgoing, notifyThroughPool, onPayload, times })
    try {
      await session.connected
      isConnected = true
      // What others sent meanwhile is lost, and they may wait for what this process did not get to know.
      if (!isFirst) outgoing.addGap()
      listeners.onGap()
      void session.send()
      return await session.lost
    } catch (error) {
      return { error, hadConnected: isConnected }
    } finally {
      isConnected = false
      session.destroy()
    }
  }

  const keepConnected = async () => {
    let isFirst = true
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      void sendThroughPool()
      const { error, hadConnected } = await runSession(isFirst)
      if (hadConnected) failures = 0
      if (closing.signal.aborted) return
      if (hadConnected) counts.addLostConnection()
      if (failures === 0) log.warn('lost the connection for notifications', reasonOf(error))
      isFirst = false
      await sleep(pauseMs(failures, times), undefined, closing).catch(() => undefined)
    }
  }

  return {
    send(topic, message) {
      outgoing.add(topic, message)
      if (!closing.signal.aborted) void sendWaiting()
    },
    listen(topic, listener) {
      running ??= keepConnected()
      return listeners.add(topic, listener)
    },
    isConnected: () => isConnected,
    counts: counts.read,
    async close() {
      const late = sleep(times.closeMs, undefined, closing).catch(() => undefined)
      await Promise.race([sendWaiting(), late])
      closing.abort()
      session?.destroy()
      await running
    },
  }
}

function pauseMs(failures: number, { firstPauseMs, longestPauseMs }: NotificationTimes): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** failures) * (0.75 + Math.random() / 2)
}

function reasonOf(error: unknown): { readonly reason: string } {
  return { reason: error instanceof Error ? error.message : String(error) }
}

function parseEnvelope(payload = ''): z.output<typeof envelope> | undefined {
  try {
    return envelope.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

type Counts = ReturnType<typeof openCounts>

function openCounts() {
  const [sent, received] = [
    new Map<NotificationTopic, number>(),
    new Map<NotificationTopic, number>(),
  ]
  let gaps = 0
  let lostConnections = 0
  const add = (counts: Map<NotificationTopic, number>, topic: Topic) => {
    if (topic !== 'gap' && topic !== 'heartbeat') counts.set(topic, (counts.get(topic) ?? 0) + 1)
  }
  return {
    addSent: (topic: Topic) => add(sent, topic),
    addReceived: (topic: Topic) => add(received, topic),
    addGap: () => {
      gaps += 1
    },
    addLostConnection: () => {
      lostConnections += 1
    },
    read: (): NotificationCounts => ({
      sent: Object.fromEntries(sent),
      received: Object.fromEntries(received),
      gaps,
      lostConnections,
    }),
  }
}

function openListeners(log: Log, counts: Counts) {
  const byTopic = new Map<string, Set<NotificationListener>>()
  const call = (
    listener: NotificationListener,
    notify: (listener: NotificationListener) => void,
  ) => {
    try {
      notify(listener)
    } catch (error) {
      log.error('a listener to notifications failed', error)
    }
  }
  const onGap = () => {
    for (const listener of [...byTopic.values()].flatMap((each) => [...each])) {
      call(listener, (one) => one.onGap?.())
    }
  }
  return {
    add(topic: NotificationTopic, listener: NotificationListener) {
      const listeners = byTopic.get(topic) ?? new Set()
      byTopic.set(topic, listeners.add(listener))
      return () => void listeners.delete(listener)
    },
    receive(topic: Topic, message: unknown) {
      counts.addReceived(topic)
      if (topic === 'gap') {
        counts.addGap()
        return onGap()
      }
      for (const listener of byTopic.get(topic) ?? [])
        call(listener, (one) => one.onMessage(message))
    },
    onGap,
  }
}

function openReceiver(
  self: string,
  listeners: ReturnType<typeof openListeners>,
): SessionPorts['onPayload'] {
  return (payload, onHeartbeat) => {
    const received = parseEnvelope(payload)
    if (received?.from === self) {
      if (received.topic === 'heartbeat') onHeartbeat()
    } else if (received !== undefined) listeners.receive(received.topic, received.message)
  }
}

type Payload = readonly [payload: string, topic: Topic]

/** What waits to be sent: payloads with their topics. */
function openOutgoing(self: string, log: Log, counts: Counts) {
  const payloads = new Map<string, Topic>()
  const toPayload = (topic: Topic, message: unknown = null) =>
    JSON.stringify({ from: self, topic, message })
  const put = (topic: Topic, message?: unknown) => payloads.set(toPayload(topic, message), topic)
  const addGap = () => {
    counts.addGap()
    put('gap')
  }
  const dropAll = (reason: string) => {
    log.warn('notifications for other processes were dropped', { reason })
    payloads.clear()
    addGap()
  }
  return {
    heartbeat: toPayload('heartbeat'),
    isEmpty: () => payloads.size === 0,
    addGap,
    add(topic: NotificationTopic, message: unknown) {
      if (Buffer.byteLength(JSON.stringify(message)) > maxMessageBytes) return dropAll('too long')
      put(topic, message)
      if (payloads.size > waitingMax) dropAll('too many')
    },
    /** The next ones, which do not wait any more: an equal message is one of its own from now on. */
    take(): readonly Payload[] {
      const taken = [...payloads.entries().take(sentAtOnce)]
      for (const [payload] of taken) payloads.delete(payload)
      return taken
    },
    /** Those that may not have been sent. */
    putBack(taken: readonly Payload[]) {
      for (const [payload, topic] of taken) payloads.set(payload, topic)
    },
    onSent(taken: readonly Payload[]) {
      for (const [, topic] of taken) counts.addSent(topic)
    },
  }
}

type Outgoing = ReturnType<typeof openOutgoing>
type Notify = (payloads: readonly string[]) => Promise<unknown>

function openPoolNotify(pool: Kysely<Tables>): Notify {
  // A statement has messages of several requesters, so it does not count as one of whoever sends the first of them.
  const inBackground = AsyncLocalStorage.snapshot()
  return (payloads) => {
    const statement = CompiledQuery.raw(notifyStatement, [channel, payloads])
    return inBackground(() => pool.executeQuery(statement))
  }
}

/** Returns what sends until nothing waits or sending fails, and then resolves. */
function openSender(outgoing: Outgoing, notify: Notify, onFailure: (error: unknown) => void) {
  const sendAll = async () => {
    let taken: readonly Payload[] = []
    try {
      while (!outgoing.isEmpty()) {
        taken = outgoing.take()
        await notify(taken.map(([payload]) => payload))
        outgoing.onSent(taken)
        taken = []
      }
    } catch (error) {
      // Sent twice rather than never, when the response is lost.
      outgoing.putBack(taken)
      onFailure(error)
    } finally {
      sending = undefined
    }
  }
  let sending: Promise<void> | undefined
  return () => sending ?? (outgoing.isEmpty() ? Promise.resolve() : (sending = sendAll()))
}

interface Session {
  /** Resolves when notifications are delivered. */
  readonly connected: Promise<void>
  /** Rejects when they are not any more. */
  readonly lost: Promise<never>
  /** Resolves when nothing waits to be sent, or the connection is lost. */
  send(): Promise<void>
  destroy(): void
}

interface SessionPorts {
  readonly url: string
  readonly outgoing: Outgoing
  readonly notifyThroughPool: Notify
  readonly onPayload: (payload: string | undefined, onHeartbeat: () => void) => void
  readonly times: NotificationTimes
}

function openSession(ports: SessionPorts): Session {
  const { url, outgoing, notifyThroughPool, onPayload } = ports
  const { connectMs, heartbeatMs } = ports.times
  // Ours, because the driver can only close a connection with the help of a server that responds.
  const socket = new Socket()
  const client = new Client({
    ...{ ...withConnectionName(url, 'assay notifications'), stream: () => socket },
    ...{ connectionTimeoutMillis: connectMs, query_timeout: heartbeatMs, keepAlive: true },
  })
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined)
  client.on('error', lost.reject)
  client.on('end', () => lost.reject(new Error('The connection was closed.')))
  let heard = Promise.withResolvers<void>()
  client.on('notification', ({ payload }) => onPayload(payload, () => heard.resolve()))

  const beat = async (onNotSent: (error: unknown) => false) => {
    heard = Promise.withResolvers()
    const sent = notifyThroughPool([outgoing.heartbeat]).then(() => true, onNotSent)
    const responds = client.query('select 1')
    const [isSent] = await Promise.race([Promise.all([sent, responds]), lost.promise])
    if (!isSent) return
    const late = sleep(heartbeatMs, undefined, { ref: false }).then(() => {
      throw new Error('A notification was not delivered.')
    })
    await Promise.race([heard.promise, late, lost.promise])
  }
  let beats: NodeJS.Timeout | undefined
  const keepBeating = () => {
    // A busy pool is no sign that nothing is delivered, and a gap would add to its load.
    const next = () => void beat(() => false).then(keepBeating, lost.reject)
    beats = setTimeout(next, heartbeatMs).unref()
  }
  const connect = async () => {
    await client.connect()
    await client.query(`listen ${channel}`)
    await beat((error) => {
      throw error
    })
    keepBeating()
  }
  const notify: Notify = (payloads) => client.query(notifyStatement, [channel, payloads])
  return {
    connected: connect(),
    lost: lost.promise,
    send: openSender(outgoing, notify, lost.reject),
    destroy() {
      clearTimeout(beats)
      lost.reject(new Error('The connection was closed.'))
      socket.destroy()
    },
  }
}
