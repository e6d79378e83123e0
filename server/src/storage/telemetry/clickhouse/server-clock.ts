import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Connection } from './connection.ts'

/*
 * Of two versions of a span that two processes store, the one with the later time counts. So their clocks must agree, and
 * so must those of traces that settle (listed-within.ts). Each process compares its own with that of the server.
 */

/** Of two processes that differ as much in opposite directions, within the second that settled traces allow. */
const differenceMaxMs = 500

/** Logs a warning where this clock is wrong for sure, however long the statement takes. */
export async function checkClock(connection: Connection, clock: Clock, log: Log): Promise<void> {
  const before = clock.now().getTime()
  const [row] = await connection.rows('SELECT toUnixTimestamp64Milli(now64(3))', {})
  const ofServer = Number(row?.[0])
  const behindMs = ofServer - clock.now().getTime()
  const aheadMs = before - ofServer
  if (Math.max(behindMs, aheadMs) <= differenceMaxMs) return
  log.warn('the clock of this machine differs from that of ClickHouse: synchronize both', {
    behindMs: behindMs > 0 ? behindMs : -aheadMs,
  })
}
