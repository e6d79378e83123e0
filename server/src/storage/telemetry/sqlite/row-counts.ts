import type { DatabaseSync } from 'node:sqlite'
import { addToRowCount, signalNo } from './statements/row-counts.ts'

/*
 * Maintains the row counts of each project. The changes of a transaction are summed before they are written.
 */

export interface RowCounts {
  add(projectNo: number, signal: keyof typeof signalNo, more: number): void
  /** Before the commit. */
  write(): void
  /** Call after a rollback. */
  invalidate(): void
}

export function prepareCounts(db: DatabaseSync): RowCounts {
  const count = db.prepare(addToRowCount)
  const sums = new Map<string, { projectNo: number; signal: number; more: number }>()
  return {
    add(projectNo, signal, more) {
      const key = `${projectNo} ${signal}`
      const sum = sums.get(key) ?? { projectNo, signal: signalNo[signal], more: 0 }
      sums.set(key, sum)
      sum.more += more
    },
    write() {
      for (const sum of sums.values()) if (sum.more !== 0) count.run(sum)
      sums.clear()
    },
    invalidate: () => sums.clear(),
  }
}
