import type { DatabaseSync } from 'node:sqlite'
import { filesOfDatabase, watchFiles } from '../../../file-watch.ts'
import { type Indexer, openIndexer } from './indexer.ts'
import { isIntact, openSearch, recreateSearch } from './search-database.ts'

/*
 * The index and its file, which is rebuilt when it is damaged: all of its data comes from the telemetry
 * file.
 */

export interface RebuildableIndex extends Indexer {
  /** Checks whether the file is damaged or was deleted; if so, the next round creates a new one. */
  check(): CheckResult
  close(): void
}

/** `unchecked`: too soon after the previous check. */
export type CheckResult = 'intact' | 'rebuilding' | 'unchecked'

interface Opened {
  readonly search: DatabaseSync
  readonly indexer: Indexer
  readonly findChangedFile: () => string | undefined
}

/** A check reads the whole file, so this is the minimum interval. */
const checkIntervalMs = 60_000

/** `onRebuilt`: there is a new, empty file. Connections to the old one should be reopened. */
export function openRebuildableIndex(
  file: string,
  telemetry: DatabaseSync,
  onRebuilt: () => void,
): RebuildableIndex {
  let opened: Opened | undefined = openWith(telemetry, openSearch(file), file)
  let checkedAt = Number.NEGATIVE_INFINITY
  const current = (): Opened => {
    if (opened !== undefined) return opened
    opened = openWith(telemetry, recreateSearch(file), file)
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
      if (opened === undefined) return 'rebuilding'
      const isReplaced = opened.findChangedFile() !== undefined
      if (!isReplaced && performance.now() - checkedAt < checkIntervalMs) return 'unchecked'
      checkedAt = performance.now()
      if (!isReplaced && isIntact(opened.search)) return 'intact'
      opened.search.close()
      opened = undefined
      return 'rebuilding'
    },
    close: () => opened?.search.close(),
  }
}

function openWith(telemetry: DatabaseSync, search: DatabaseSync, file: string): Opened {
  try {
    const indexer = openIndexer(telemetry, search)
    return { search, indexer, findChangedFile: watchFiles(filesOfDatabase(file)) }
  } catch (error) {
    search.close()
    throw error
  }
}
