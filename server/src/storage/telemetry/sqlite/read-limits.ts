import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'

/*
 * Stops statements of a reader: when the read is to be stopped, or when it has examined enough rows.
 * node:sqlite cannot interrupt a statement, so long ones call a function on some of their rows (see
 * `stopCheck` and `examineCheck`), and loops in JavaScript call `check`.
 */

export interface ReadLimits {
  /** Throws `ReadStopped` when the current read is to stop. */
  check(): void
  /**
   * Runs a scan with `examineCheck` from the newest to the oldest row, up to about `max` rows. It passes at
   * least the rows of one instant, so that scans that continue where the last one stopped always make
   * progress.
   */
  examine<Result>(max: number, scan: () => Result): Examined<Result>
}

export interface Examined<Result> {
  /** Undefined when the scan was stopped. */
  readonly result: Result | undefined
  /** The instant of the row at which it was stopped. All newer rows were examined. */
  readonly stoppedAt: Instant | undefined
  readonly count: number
}

export class ReadStopped extends Error {}

class EnoughExamined extends Error {}

// A call takes as long as a row. Once per 64 rows, the cost is not measurable.
const rowsPerCall = 64

/**
 * A condition that is always true and stops the statement if necessary. `rowNumber` is a column of numbered
 * rows.
 */
export function stopCheck(rowNumber: string): string {
  return `((${rowNumber} & ${rowsPerCall - 1}) <> 0 OR check_stop())`
}

/** The same, for a scan that `examine` runs. */
export function examineCheck(rowNumber: string, instant: string): string {
  return `((${rowNumber} & ${rowsPerCall - 1}) <> 0 OR examine(${instant}))`
}

interface Examination {
  readonly max: number
  count: number
  firstAt: Instant | undefined
  stoppedAt: Instant | undefined
}

export function openReadLimits(db: DatabaseSync, isStopped: () => boolean): ReadLimits {
  let examination: Examination | undefined
  const check = () => {
    if (isStopped()) throw new ReadStopped('The read was stopped.')
  }
  db.function('check_stop', () => {
    check()
    return 1
  })
  db.function('examine', { useBigIntArguments: true }, (value) => {
    check()
    if (examination !== undefined) countRows(examination, value as bigint)
    return 1
  })
  return {
    check,
    examine(max, scan) {
      const own: Examination = { max, count: 0, firstAt: undefined, stoppedAt: undefined }
      examination = own
      try {
        return { result: scan(), stoppedAt: undefined, count: own.count }
      } catch (error) {
        if (!(error instanceof EnoughExamined)) throw error
        return { result: undefined, stoppedAt: own.stoppedAt, count: own.count }
      } finally {
        examination = undefined
      }
    },
  }
}

function countRows(examination: Examination, at: Instant): void {
  examination.firstAt ??= at
  if (examination.count >= examination.max && at < examination.firstAt) {
    examination.stoppedAt = at
    throw new EnoughExamined('The scan limit is reached.')
  }
  examination.count += rowsPerCall
}
