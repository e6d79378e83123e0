import type { DatabaseSync } from 'node:sqlite'
import { type Indexer, openIndexer } from './indexer.ts'
import { isIntact, openSearch, recreateSearch } from './search-database.ts'

/*
 * The index with its file, which is begun anew where it is found damaged: nothing is in it that the telemetry file
 * does not have.
 */

export interface RebuildableIndex extends Indexer {
  /** Looks whether the file is damaged; if so, the next round begins a new one. */
  check(): boolean
  close(): void
}

interface Opened {
  readonly search: DatabaseSync
  readonly indexer: Indexer
}

/** A check reads the whole file: there is one in this time at most. */
const checkIntervalMs = 60_000

/** `onRenewed`: there is a new file, empty yet. Who has the old one open should open it again. */
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
