import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { busyTimeoutMs, prepareRows, setBusyTimeout } from './database.ts'
import type { Writer } from './writer.ts'

/*
 * What the writer does between groups: moving pages from the log into the file, and forgetting receipts.
 *
 * Left to itself SQLite would move pages within whichever commit fills the log. Here that happens while
 * nobody waits, and under a load that never pauses only when the log has grown. A log can be begun anew only
 * at a moment when no reader uses it. Usually one comes by itself; for a large log the writer waits for it.
 */

export interface Upkeep {
  /** Between two groups, with batches waiting. */
  inPassing(): void
  /** With no batch waiting. `at` is the time of the last one. */
  whenIdle(at: Instant): void
}

/** Pages written since the last time, from which moving them is worth while. */
const idlePages = 1000
const busyPages = 2000
/** How large a log may grow before readers are waited for, and for how long. */
const largeLogPages = 2000
const largeLogPatienceMs = 100
const hugeLogPages = 32_000
const hugeLogPatienceMs = 2000

// 30 days are promised.
const idempotencyRetentionNanos = 31n * 24n * 60n * 60n * 1_000_000_000n
const idempotencyCleanupIntervalNanos = 60n * 60n * 1_000_000_000n
const idempotencyCleanupBatchSize = 1000

export function openUpkeep(db: DatabaseSync, writer: Writer): Upkeep {
  const ask = prepareRows(db, 'PRAGMA wal_checkpoint(NOOP)')
  const move = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  const moveAndBeginAnew = db.prepare('PRAGMA wal_checkpoint(RESTART)')
  let nextIdempotencyCleanupAt: Instant = 0n
  let lastLogged = 0

  const moveFrom = (pages: number) => {
    const [, logged, moved] = ask.get() as unknown as [busy: number, logged: number, moved: number]
    if (logged < lastLogged) lastLogged = 0
    if (logged - Math.max(moved, lastLogged) < pages) return
    lastLogged = logged
    if (logged < largeLogPages) {
      move.get()
      return
    }
    setBusyTimeout(db, logged < hugeLogPages ? largeLogPatienceMs : hugeLogPatienceMs)
    try {
      moveAndBeginAnew.get()
    } finally {
      setBusyTimeout(db, busyTimeoutMs)
    }
  }
  return {
    inPassing: () => moveFrom(busyPages),
    whenIdle(at) {
      if (
        at >= nextIdempotencyCleanupAt &&
        !writer.deleteExpiredIdempotencyRecords(
          at - idempotencyRetentionNanos,
          idempotencyCleanupBatchSize,
        )
      ) {
        nextIdempotencyCleanupAt = at + idempotencyCleanupIntervalNanos
      }
      moveFrom(idlePages)
    },
  }
}
