import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { prepareRows } from './database.ts'
import type { Writer } from './writer.ts'

/*
 * What the writer does between groups: moving pages from the log into the file, and forgetting receipts.
 *
 * Left to itself SQLite would move pages within whichever commit fills the log. Here that happens while
 * nobody waits, and under a load that never pauses only when the log has grown large. Readers hold neither
 * up: pages they still need stay in the log until a later time.
 */

export interface Upkeep {
  /** Between two groups, with batches waiting. */
  inPassing(): void
  /** With no batch waiting. `at` is the time of the last one. */
  whenIdle(at: Instant): void
}

const idlePages = 1000
const busyPages = 8000

// 30 days are promised.
const receiptAgeNanos = 31n * 24n * 60n * 60n * 1_000_000_000n
const receiptsEveryNanos = 60n * 60n * 1_000_000_000n
const receiptsAtOnce = 1000

export function openUpkeep(db: DatabaseSync, writer: Writer): Upkeep {
  const ask = prepareRows(db, 'PRAGMA wal_checkpoint(NOOP)')
  const move = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  let receiptsDueAt: Instant = 0n

  const moveFrom = (pages: number) => {
    const [, logged, moved] = ask.get() as unknown as [busy: number, logged: number, moved: number]
    if (logged - moved >= pages) move.get()
  }
  return {
    inPassing: () => moveFrom(busyPages),
    whenIdle(at) {
      if (at >= receiptsDueAt && !writer.forgetReceipts(at - receiptAgeNanos, receiptsAtOnce)) {
        receiptsDueAt = at + receiptsEveryNanos
      }
      moveFrom(idlePages)
    },
  }
}
