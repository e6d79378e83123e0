/*
 * Messages between the processes of one service.
 *
 * Delivery. A message reaches every other process that is connected, at least once and in no order. When some may have
 * been lost, listeners are notified of a gap instead, and must read again what they follow. A message is a hint: its
 * receiver reads what counts from a store, and acts only on what it finds there.
 *
 * Tenants. A message carries the tenant that it concerns. Its content was sent by another process, perhaps one of
 * another version, so receivers parse it.
 */

export type NotificationTopic = 'trace changes' | 'replies' | 'jobs' | 'prices'

/** Of a message as JSON. PostgreSQL allows less than 8,000, with what is sent around a message. */
export const maxMessageBytes = 7_500

/** What happened since the process started. */
export interface NotificationCounts {
  /** Messages of listeners, by topic, without those that a connection sends to itself. */
  readonly sent: TopicCounts
  readonly received: TopicCounts
  /** How often messages may have been lost: dropped here or elsewhere, or while there was no connection. */
  readonly gaps: number
  readonly lostConnections: number
}
export type TopicCounts = Readonly<Partial<Record<NotificationTopic, number>>>

export interface NotificationListener {
  onMessage(message: unknown): void
  /** Messages may have been lost, of this process or to it. */
  onGap?(): void
}

export interface Notifications {
  /**
   * To all other processes. Equal messages that wait are sent once, but one that equals a message on its way is sent again:
   * that may have been read before what this one is about. Never throws; see above for what is lost.
   */
  send(topic: NotificationTopic, message: unknown): void
  /** Until the returned function is called. An exception of a listener is logged. */
  listen(topic: NotificationTopic, listener: NotificationListener): () => void
  /** False: nothing is delivered at the moment, so others must be polled. */
  isConnected(): boolean
  counts(): NotificationCounts
  /** What waits is sent, if that is possible within a moment. */
  close(): Promise<void>
}

/** For a service that is one process. */
export const noOtherProcesses: Notifications = {
  send() {},
  listen: () => () => {},
  isConnected: () => true,
  counts: () => ({ sent: {}, received: {}, gaps: 0, lostConnections: 0 }),
  close: () => Promise.resolve(),
}
