import type { DatabaseSync } from 'node:sqlite'
import { prepareRows } from './database.ts'
import { unusedRows } from './statements/unused-rows.ts'

/*
 * Deletes facet values, resources and scopes that nothing refers to any more. They are not deleted
 * immediately, because most are soon used again.
 */

export interface UnusedRows {
  /** Checks at most `limit` rows of each table; true when there are more to check. */
  deleteSome(limit: number): boolean
}

/** `onDeleted` is called after rows were deleted: their numbers may be reused. */
export function openUnusedRows(db: DatabaseSync, onDeleted: () => void): UnusedRows {
  const tables = unusedRows.map(({ end, deletion }) => ({
    end: prepareRows(db, end),
    deletion: db.prepare(deletion),
    checkedUpTo: 0,
  }))
  return {
    deleteSome(limit) {
      let isMore = false
      for (const table of tables) {
        const after = table.checkedUpTo
        const [end] = table.end.get({ after, limit }) as unknown as readonly [number | null]
        table.checkedUpTo = end ?? 0
        if (end === null) continue
        isMore = true
        if (Number(table.deletion.run({ after, end }).changes) > 0) onDeleted()
      }
      return isMore
    },
  }
}
