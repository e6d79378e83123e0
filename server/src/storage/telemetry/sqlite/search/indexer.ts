import type { DatabaseSync } from 'node:sqlite'
import { prepareRows } from '../database.ts'
import {
  deleteIndexedBlocksOfTrace,
  indexedBlocksOfTrace,
  insertIndexedBlock,
  putPosition,
} from '../statements/search.ts'
import { prepareSource, type SourceBlock } from './index-backlog.ts'
import { collectPostings, type PostingLists } from './posting-lists.ts'
import { indexPosition, lastPosition } from './search-database.ts'
import { prepareSegments, type Segments } from './segments.ts'
import { indexTerms } from './span-terms.ts'

/*
 * Updates the index from the telemetry file, round by round. The position is written together with what was
 * indexed, so that indexing continues there after any interruption. Blocks are numbered in commit order,
 * and each new version of a span is in a new block.
 */

export interface Indexer {
  /** Indexes some of what is missing; false when nothing is. */
  round(): boolean
  /** Returns a function that reports whether everything stored by now is indexed. */
  mark(): () => boolean
  /** Changes up to this one are no longer needed. */
  readonly indexedChangeNo: number
}

export function openIndexer(telemetry: DatabaseSync, search: DatabaseSync): Indexer {
  const source = prepareSource(telemetry)
  const segments = prepareSegments(telemetry, search)
  const blockIndex = prepareBlockIndex(search, segments)
  const put = search.prepare(putPosition)
  let position = indexPosition(telemetry, search)

  return {
    round() {
      const backlog = source.backlogAfter(position)
      if (backlog === undefined) return false
      const touched = new Set<number>()
      search.exec('BEGIN IMMEDIATE')
      try {
        for (const traceNo of backlog.changedTraces) blockIndex.removeTrace(traceNo, touched)
        for (const [projectNo, blocks] of backlog.blocks) {
          blockIndex.addBlocks(projectNo, blocks)
          touched.add(projectNo)
        }
        touched.forEach(segments.compact)
        put.run(...backlog.upTo)
        search.exec('COMMIT')
      } catch (error) {
        if (search.isTransaction) search.exec('ROLLBACK')
        throw error
      }
      position = backlog.upTo
      return true
    },
    mark() {
      const [block, change] = lastPosition(telemetry)
      return () => position[0] >= block && position[1] >= change
    },
    get indexedChangeNo() {
      return position[1]
    },
  }
}

function prepareBlockIndex(search: DatabaseSync, segments: Segments) {
  const insert = search.prepare(insertIndexedBlock)
  const ofTrace = prepareRows(search, indexedBlocksOfTrace)
  const removeByTrace = search.prepare(deleteIndexedBlocksOfTrace)
  const words: PostingLists = collectPostings()

  const write = (projectNo: number, firstDoc: number) => {
    if (words.docCount > 0) segments.add(projectNo, firstDoc, words)
    const next = firstDoc + words.docCount
    words.clear()
    return next
  }
  return {
    addBlocks(projectNo: number, blocks: readonly SourceBlock[]): void {
      // A failed round may have left some.
      words.clear()
      let firstDoc = segments.nextDoc(projectNo)
      for (const block of blocks) {
        const { traceNo, blockNo, spans } = block
        const spanIds = JSON.stringify(spans.map(({ spanId }) => spanId))
        const docNo = firstDoc + words.docCount
        indexTerms(block, words)
        insert.run(projectNo, docNo, spans.length, traceNo, blockNo, spanIds)
        if (words.isFull) firstDoc = write(projectNo, firstDoc)
      }
      write(projectNo, firstDoc)
    },

    removeTrace(traceNo: number, touched: Set<number>): void {
      const rows = ofTrace.all(traceNo) as unknown as [number, number, number][]
      for (const [projectNo, firstDoc, docCount] of rows) {
        segments.countDeleted(projectNo, firstDoc, docCount)
        touched.add(projectNo)
      }
      removeByTrace.run(traceNo)
    },
  }
}
