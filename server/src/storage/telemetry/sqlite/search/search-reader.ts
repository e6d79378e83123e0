import type { DatabaseSync } from 'node:sqlite'
import { parseSearchQuery, type QueryTerm } from '../../words.ts'
import { prepareRows, readRows } from '../database.ts'
import type { ReadLimits } from '../read-limits.ts'
import { findProject } from '../statements/projects.ts'
import { blockOfSpan, indexedBlockOfDoc, indexedBlocksOfTraces } from '../statements/search.ts'
import { readTraceNo, type TraceRow } from '../trace-columns.ts'
import { type DocSets, prepareDocSets } from './doc-sets.ts'

/*
 * Queries the index. For rare words it returns all traces that may match. However a trace was found, it is
 * returned only if one of its current spans has the words.
 */

export interface SearchReader {
  /** Undefined when nothing can match. Valid within the transaction in which it was begun. */
  begin(projectId: string, query: string): Search | undefined
}

export interface Search {
  /** The numbers of all traces that may match; undefined when there are many. */
  candidateTraces(): number[] | undefined
  /** The traces that match. */
  filterMatches(traces: readonly TraceRow[]): TraceRow[]
}

const candidateDocsMax = 5000
const queryTermsMax = 50

export function openSearchReader(db: DatabaseSync, limits: ReadLimits): SearchReader {
  const project = prepareRows(db, findProject)
  const docSets = prepareDocSets(db, limits)
  const readTraces = prepareTracesOfDocs(db)
  const matchingTraces = prepareMatchingTraces(db, limits)
  return {
    begin(projectId, query) {
      const row = project.get(projectId) as unknown as [number] | undefined
      const terms: readonly QueryTerm[] = parseSearchQuery(query).slice(0, queryTermsMax)
      if (row === undefined || terms.length === 0) return undefined
      const [projectNo] = row
      const docs = docSets(projectNo, terms)
      return {
        candidateTraces() {
          const few = docs.all(candidateDocsMax)
          return few && readTraces(projectNo, few)
        },
        filterMatches(traces) {
          const found = matchingTraces(projectNo, traces.map(readTraceNo), docs)
          return traces.filter((each) => found.has(readTraceNo(each)))
        },
      }
    },
  }
}

function prepareTracesOfDocs(db: DatabaseSync) {
  const blockOfDoc = prepareRows(db, indexedBlockOfDoc)
  type IndexedBlock = readonly [firstDoc: number, docCount: number, traceNo: number]
  return (projectNo: number, docs: readonly number[]): number[] => {
    const traceNos = new Set<number>()
    let end = 0
    for (const doc of docs) {
      if (doc < end) continue
      const indexedBlocks = blockOfDoc.get(projectNo, doc) as unknown as IndexedBlock | undefined
      if (indexedBlocks === undefined) continue
      const [firstDoc, docCount, traceNo] = indexedBlocks
      // Removed docs have no row and leave a gap.
      if (doc >= firstDoc + docCount) continue
      traceNos.add(traceNo)
      end = firstDoc + docCount
    }
    return [...traceNos]
  }
}

type IndexedBlockRow = readonly [
  traceNo: number,
  firstDoc: number,
  docCount: number,
  blockNo: number,
  spanIds: string,
]

function prepareMatchingTraces(db: DatabaseSync, { check }: ReadLimits) {
  const indexedBlocks = prepareRows(db, indexedBlocksOfTraces)
  const place = prepareRows(db, blockOfSpan)
  const isCurrent = (traceNo: number, blockNo: number, spanId: string) => {
    const row = place.get(traceNo, spanId) as unknown as [number] | undefined
    return row?.[0] === blockNo
  }
  return (projectNo: number, traceNos: readonly number[], docs: DocSets): Set<number> => {
    const found = new Set<number>()
    const rows: IndexedBlockRow[] = readRows(indexedBlocks, {
      projectNo,
      traceNos: JSON.stringify(traceNos),
    })
    for (const [traceNo, firstDoc, docCount, blockNo, spanIds] of rows) {
      if (found.has(traceNo)) continue
      check()
      const offsets = docs.within(firstDoc, docCount)
      if (offsets.length === 0) continue
      const ids = JSON.parse(spanIds) as string[]
      if (offsets.some((offset) => isCurrent(traceNo, blockNo, ids[offset]!))) found.add(traceNo)
    }
    return found
  }
}
