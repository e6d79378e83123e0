import type { DatabaseSync } from 'node:sqlite'

/*
 * Stops statements of a reader that was told to stop. node:sqlite cannot interrupt a statement, so long ones call
 * a function on some of their rows (see `stopCheck`), and loops in JavaScript call `check`.
 */

export interface ReadLimits {
  /** Throws `ReadStopped` when the current read is to stop. */
  check(): void
}

export class ReadStopped extends Error {}

/** A condition that is always true and stops the statement if need be. `rowNumber` is a column of numbered rows. */
export function stopCheck(rowNumber: string): string {
  // A call takes as long as a row. One in 64 costs nothing that can be measured.
  return `((${rowNumber} & 63) <> 0 OR check_stop())`
}

export function openReadLimits(db: DatabaseSync, isStopped: () => boolean): ReadLimits {
  const check = () => {
    if (isStopped()) throw new ReadStopped('The read was stopped.')
  }
  db.function('check_stop', () => {
    check()
    return 1
  })
  return { check }
}
