import type { DatabaseSync } from 'node:sqlite'
import { type Indexer, openIndexer } from './indexer.ts'
import { isIntact, openSearch, recreateSearch } from './search-database.ts'

/*
 * The index and its file, which is rebuilt when it is damaged: all of its data comes from the telemetry
 * file.
 */

export interface RebuildableIndex extends Indexer {
  /** Checks whether the file is damaged; if so, the next round creates a new one. */
  check(): boolean
  close(): void
}

interface Opened {
  readonly search: DatabaseSync
  readonly indexer: Indexer
}

/** A check reads the whole file, so this is the minimum interval. */
const checkIntervalMs = 60_000

/** `onRebuilt`: there is a new, empty file. Connections to the old one should be reopened. */
export function openRebuildableIndex(
  file: string,
  telemetry: DatabaseSync,
  onRebuilt: () => void,
): RebuildableIndex {
  let opened: Opened | undefined = openWith(telemetry, openSearch(file))
  let checkedAt = Number.NEGATIVE_INFINITY
  const current = (): Opened => {
    if (opened !== undefined) return opened
    opened = openWith(telemetry, recreateSearch(file))
    onRebuilt()
    return opened
  }
  return {
    round: () => current().indexer.round(),
    mark: () => current().indexer.mark(),
    get indexedChangeNo() {
      return current().indexer.indexedChangeNo
    },
    check() {
      if (opened === undefined || performance.now() - checkedAt < checkIntervalMs) return false
      checkedAt = performance.now()
      if (isIntact(opened.search)) return false
      opened.search.close()
      opened = undefined
      return true
    },
    close: () => opened?.search.close(),
  }
}

function openWith(telemetry: DatabaseSync, search: DatabaseSync): Opened {
  try {
    return { search, indexer: openIndexer(telemetry, search) }
  } catch (error) {
    search.close()
    throw error
  }
}
