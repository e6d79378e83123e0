import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { busyTimeoutMs, prepareRows, setBusyTimeout } from './database.ts'
import type { Writer } from './writer.ts'

/*
 * What the writer does between groups: checkpoints, and deleting unused rows.
 *
 * By default SQLite would checkpoint within whichever commit fills the write-ahead log. Here that happens while no
 * batch waits, and under continuous load only when the log has grown. The log can only be restarted at a moment when no
 * reader uses it. Usually there is one; for a large log the writer waits for it, and for a huge one longer.
 */

export interface Maintenance {
  /** Between two groups, with batches waiting. */
  onBusy(): void
  /** With no batch waiting. `at` is the time of the last one. */
  onIdle(at: Instant): void
}

/** Pages written since the last checkpoint, from which another is worth its cost. */
const idleCheckpointPages = 1000
const busyCheckpointPages = 2000
/** How large a log may grow before readers are waited for, and for how long. */
const largeWalPages = 2000
const largeWalTimeoutMs = 100
const hugeWalPages = 32_000
const hugeWalTimeoutMs = 2000
/** Nobody's batch is stored during that wait, and readers may be there all the time. */
const hugeWalWaitIntervalMs = 60_000

const unusedRowsIntervalNanos = 60n * 60n * 1_000_000_000n
/** Few enough that a batch which arrives meanwhile does not wait for long. */
const unusedRowsChecked = 200

export function openMaintenance(
  db: DatabaseSync,
  writer: Pick<Writer, 'unusedRows'>,
  monotonicMs = () => performance.now(),
): Maintenance {
  const checkpointStatus = prepareRows(db, 'PRAGMA wal_checkpoint(NOOP)')
  const passiveCheckpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  const restartCheckpoint = db.prepare('PRAGMA wal_checkpoint(RESTART)')
  let nextUnusedRowsAt: Instant = 0n
  let lastWalPages = 0
  let nextLongWaitAt = 0

  const findTimeout = (walPages: number) => {
    if (walPages < hugeWalPages || monotonicMs() < nextLongWaitAt) return largeWalTimeoutMs
    nextLongWaitAt = monotonicMs() + hugeWalWaitIntervalMs
    return hugeWalTimeoutMs
  }

  const checkpointFrom = (pages: number) => {
    const [, walPages, checkpointedPages] = checkpointStatus.get() as unknown as [
      busy: number,
      walPages: number,
      checkpointedPages: number,
    ]
    if (walPages < lastWalPages) lastWalPages = 0
    if (walPages - Math.max(checkpointedPages, lastWalPages) < pages) return
    lastWalPages = walPages
    if (walPages < largeWalPages) {
      passiveCheckpoint.get()
      return
    }
    setBusyTimeout(db, findTimeout(walPages))
    try {
      restartCheckpoint.get()
    } finally {
      setBusyTimeout(db, busyTimeoutMs)
    }
  }
  return {
    onBusy: () => checkpointFrom(busyCheckpointPages),
    onIdle(at) {
      if (at >= nextUnusedRowsAt && !writer.unusedRows.deleteSome(unusedRowsChecked)) {
        nextUnusedRowsAt = at + unusedRowsIntervalNanos
      }
      checkpointFrom(idleCheckpointPages)
    },
  }
}
