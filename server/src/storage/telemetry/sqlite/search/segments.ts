import type { DatabaseSync } from 'node:sqlite'
import { prepareRows } from '../database.ts'
import {
  countDeletedDocs,
  deleteIndexedBlock,
  deletePages,
  deleteSegment,
  findBlock,
  indexedBlocksInRange,
  insertPage,
  insertSegment,
  pagesOfSegment,
  readPageTerms,
  segmentOfDoc,
  segmentsOfProject,
} from '../statements/search.ts'
import { compareBytes, type PostingLists } from './posting-lists.ts'
import { type PageReader, type PageWriter, readPage, writePages } from './posting-pages.ts'

/*
 * Segments of the index. Spans are written as they arrive, in many small segments. Eight adjacent segments
 * of one size are merged into one of the next size, so that a word is looked up in few segments and
 * rewritten only a few times.
 */

export interface Segments {
  /** The number of the next doc of a project. */
  nextDoc(projectNo: number): number
  add(projectNo: number, firstDoc: number, words: PostingLists): void
  /** Includes removed docs. */
  countDeleted(projectNo: number, firstDoc: number, docCount: number): void
  /** Merges small segments and drops removed docs. */
  compact(projectNo: number): void
}

type SegmentRow = readonly [
  segmentNo: number,
  projectNo: number,
  firstDoc: number,
  docCount: number,
  indexedDocs: number,
  deletedDocs: number,
]

const segmentsPerMerge = 8
/** Segments are merged up to this level, which has at most 32,768 docs per segment. */
const mergeLevels = 5

export function prepareSegments(telemetry: DatabaseSync, search: DatabaseSync): Segments {
  const insert = prepareRows(search, insertSegment)
  const page = search.prepare(insertPage)
  const ofProject = prepareRows(search, segmentsOfProject)
  const ofDoc = prepareRows(search, segmentOfDoc)
  const countDeleted = search.prepare(countDeletedDocs)
  const merge = prepareMerge(telemetry, search)

  const segmentAt = (projectNo: number, doc: number) =>
    ofDoc.get(projectNo, doc) as unknown as SegmentRow | undefined
  return {
    nextDoc(projectNo) {
      const last = segmentAt(projectNo, Number.MAX_SAFE_INTEGER)
      return last === undefined ? 0 : last[2] + last[3]
    },
    add(projectNo, firstDoc, words) {
      const { docCount } = words
      const row = insert.get(projectNo, firstDoc, docCount, docCount) as unknown as [number]
      const pages = writePages(docCount, (first, data) => page.run(row[0], first, data))
      words.forEach(pages.add)
      pages.end()
    },
    countDeleted(projectNo, firstDoc, docCount) {
      const segment = segmentAt(projectNo, firstDoc)
      if (segment !== undefined) countDeleted.run(docCount, segment[0])
    },
    compact(projectNo) {
      const segments = () => ofProject.all(projectNo) as unknown as SegmentRow[]
      for (const segment of segments()) if (isMostlyDeleted(segment)) merge([segment])
      for (;;) {
        const small = mergeCandidates(segments())
        if (small === undefined) return
        merge(small)
      }
    },
  }
}

function isMostlyDeleted([, , , , indexedDocs, deletedDocs]: SegmentRow): boolean {
  return deletedDocs * 2 > indexedDocs
}

/** The newest segments, when enough of them have one level or less. */
function mergeCandidates(segments: readonly SegmentRow[]): readonly SegmentRow[] | undefined {
  for (let level = 0; level < mergeLevels; level += 1) {
    const larger = segments.findLastIndex(([, , , docCount]) => toLevel(docCount) > level)
    if (segments.length - larger > segmentsPerMerge) return segments.slice(larger + 1)
  }
  return undefined
}

function toLevel(docCount: number): number {
  return Math.floor(Math.log2(docCount) / 3)
}

/** Merges adjacent segments, without removed docs. */
function prepareMerge(
  telemetry: DatabaseSync,
  search: DatabaseSync,
): (segments: readonly SegmentRow[]) => void {
  const insert = prepareRows(search, insertSegment)
  const page = search.prepare(insertPage)
  const removeSegment = search.prepare(deleteSegment)
  const removePages = search.prepare(deletePages)
  const open = preparePages(search)
  const liveDocs = prepareLiveDocs(telemetry, search)
  return (segments) => {
    const [, projectNo, firstDoc] = segments[0]!
    const last = segments.at(-1)!
    const docRange = last[2] + last[3] - firstDoc
    const live = liveDocs(projectNo, firstDoc, docRange)
    for (const [segmentNo] of segments) removeSegment.run(segmentNo)
    if (live.count > 0) {
      const row = insert.get(projectNo, firstDoc, docRange, live.count) as unknown as [number]
      const pages = writePages(docRange, (first, data) => page.run(row[0], first, data))
      const sources = segments.map((each) => open(each[0], each[2] - firstDoc))
      mergePostings(sources, live.bits, docRange, pages)
    }
    for (const [segmentNo] of segments) removePages.run(segmentNo)
  }
}

/** The docs of a range whose blocks still exist; deletes the rows of the others. */
function prepareLiveDocs(telemetry: DatabaseSync, search: DatabaseSync) {
  const indexedBlocks = prepareRows(search, indexedBlocksInRange)
  const remove = search.prepare(deleteIndexedBlock)
  const isThere = prepareRows(telemetry, findBlock)
  type IndexedBlock = readonly [firstDoc: number, docCount: number, blockNo: number]
  return (projectNo: number, firstDoc: number, docRange: number) => {
    const bits = new Uint8Array((docRange + 7) >> 3)
    let count = 0
    const rows = indexedBlocks.all(
      projectNo,
      firstDoc,
      firstDoc + docRange,
    ) as unknown as IndexedBlock[]
    for (const [first, docCount, blockNo] of rows) {
      if (isThere.get(blockNo) === undefined) {
        remove.run(projectNo, first)
        continue
      }
      for (let doc = first - firstDoc, end = doc + docCount; doc < end; doc += 1) {
        bits[doc >> 3]! |= 1 << (doc & 7)
      }
      count += docCount
    }
    return { bits, count }
  }
}

/** Iterates over the words of a segment; `offset` is added to its docs. */
interface TermSource {
  readonly offset: number
  readonly reader: PageReader
  /** False after the last word. */
  next(): boolean
}

function preparePages(search: DatabaseSync): (segmentNo: number, offset: number) => TermSource {
  const numbers = prepareRows(search, pagesOfSegment)
  const words = prepareRows(search, readPageTerms)
  return (segmentNo, offset) => {
    const pages = (numbers.all(segmentNo) as unknown as [number][]).values()
    let reader = readPage(new Uint8Array())
    return {
      offset,
      get reader() {
        return reader
      },
      next() {
        while (!reader.next()) {
          const { value } = pages.next()
          if (value === undefined) return false
          const [bytes] = words.get(value[0]) as unknown as [Uint8Array]
          reader = readPage(bytes)
        }
        return true
      },
    }
  }
}

function mergePostings(
  sources: readonly TermSource[],
  live: Uint8Array,
  docRange: number,
  pages: PageWriter,
): void {
  const docs = new Int32Array(docRange)
  let open = sources.filter((source) => source.next())
  while (open.length > 0) {
    const { word } = open.reduce(firstTerm).reader
    let count = 0
    const same = open.filter(({ reader }) => compareBytes(reader.word, word) === 0)
    for (const { reader, offset } of same) {
      reader.eachDoc((own) => {
        const doc = own + offset
        if ((live[doc >> 3]! & (1 << (doc & 7))) !== 0) docs[count++] = doc
      })
    }
    if (count > 0) pages.add(word, docs.subarray(0, count))
    const ended = same.filter((source) => !source.next())
    if (ended.length > 0) open = open.filter((source) => !ended.includes(source))
  }
  pages.end()
}

function firstTerm(a: TermSource, b: TermSource): TermSource {
  return compareBytes(b.reader.word, a.reader.word) < 0 ? b : a
}
