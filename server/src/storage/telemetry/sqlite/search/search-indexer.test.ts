import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { StorageError } from '../storage-errors.ts'
import { openSearchIndexer, type SearchIndexer } from './search-indexer.ts'

afterEach(() => vi.useRealTimers())

/** Every thread that it starts fails, because its folder is missing. */
function openWithoutFolder() {
  const failures: StorageError[] = []
  const file = (name: string) => join(import.meta.dirname, 'missing', name)
  const indexer = openSearchIndexer(
    { file: file('search.sqlite'), telemetryFile: file('telemetry.sqlite') },
    {
      onProgress: () => {},
      onChangesIndexed: () => {},
      onRebuilt: () => {},
      onIntact: () => {},
      onFailed: (failure) => failures.push(failure),
      onFatal: () => {},
    },
  )
  return { indexer, failures }
}

const calls: Record<string, (indexer: SearchIndexer) => void> = {
  'a commit': (indexer) => {
    indexer.onCommitted()
    vi.runAllTimers()
  },
  'a check': (indexer) => indexer.check(),
  'commits of an earlier start': (indexer) => indexer.onBehind(),
}

test.each(Object.keys(calls))('no thread starts after closing: %s', async (call) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const open = openWithoutFolder()
  calls[call]!(open.indexer)
  await open.indexer.close()
  expect(open.failures.length).toBe(1)

  const closed = openWithoutFolder()
  await closed.indexer.close()
  calls[call]!(closed.indexer)
  await closed.indexer.close()
  expect(closed.failures).toEqual([])
})
