import type { DatabaseSync } from 'node:sqlite'
import type { SignalWriting } from './signal-writing.ts'
import type { TraceState, TraceStates } from './trace-states.ts'
import type { Writing } from './write-statements.ts'

/** Afterwards the states of the touched traces are cached if they are stored, and dropped if not. */
export type Transaction = <T>(touched: Iterable<TraceState>, write: () => T) => T

export function openTransactions(
  db: DatabaseSync,
  states: TraceStates,
  writing: Writing,
  signals: Pick<SignalWriting, 'invalidate'>,
): Transaction {
  return (touched, write) => {
    try {
      db.exec('BEGIN IMMEDIATE')
      const result = write()
      writing.writeRollups()
      db.exec('COMMIT')
      states.cache(touched)
      return result
    } catch (error) {
      states.invalidate(touched)
      writing.invalidate()
      signals.invalidate()
      // A full disk may have caused a rollback already.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}
