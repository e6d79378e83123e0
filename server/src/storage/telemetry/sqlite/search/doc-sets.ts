import type { DatabaseSync } from 'node:sqlite'
import type { QueryTerm } from '../../words.ts'
import { prepareRows } from '../database.ts'
import type { ReadLimits } from '../read-limits.ts'
import { pagesFrom, searchedSegments } from '../statements/search.ts'
import { readPostings } from './posting-pages.ts'

/*
 * The docs of a project that have all of some words, computed lazily per segment.
 */

export interface DocSets {
  /** All docs, ascending; undefined when there are more than `max`. */
  all(max: number): number[] | undefined
  /** The offsets from this doc of the following docs that have the words. */
  within(firstDoc: number, docCount: number): number[]
}

interface Segment {
  readonly firstDoc: number
  readonly docCount: number
  /** A bit for each doc; computed once. */
  docs(): Uint8Array
}

type SegmentRow = readonly [segmentNo: number, firstDoc: number, docCount: number]

export function prepareDocSets(
  db: DatabaseSync,
  limits: ReadLimits,
): (projectNo: number, terms: readonly QueryTerm[]) => DocSets {
  const readSegments = prepareRows(db, searchedSegments)
  const docsIn = prepareSegmentDocs(db, limits)
  return (projectNo, terms) => {
    const words = terms.map(({ word, isPrefix }) => ({ bytes: Buffer.from(word), isPrefix }))
    const rows = readSegments.all(projectNo) as unknown as SegmentRow[]
    return docSets(
      rows.map(([segmentNo, firstDoc, docCount]) => {
        let known: Uint8Array | undefined
        const docs = () => (known ??= docsIn(segmentNo, docCount, words))
        return { firstDoc, docCount, docs }
      }),
    )
  }
}

function docSets(segments: readonly Segment[]): DocSets {
  return {
    all(max) {
      const found: number[][] = []
      let count = 0
      // Newest first, where a search with many matches looks first.
      for (const { firstDoc, docs } of segments.toReversed()) {
        const bits = docs()
        count += countBits(bits)
        if (count > max) return undefined
        found.push(docsOfBits(bits, firstDoc))
      }
      return found.toReversed().flat()
    },
    within(firstDoc, docCount) {
      const segment = segments.findLast((each) => each.firstDoc <= firstDoc)
      if (segment === undefined || firstDoc >= segment.firstDoc + segment.docCount) return []
      const bits = segment.docs()
      const offsets: number[] = []
      for (let offset = 0; offset < docCount; offset += 1) {
        const doc = firstDoc - segment.firstDoc + offset
        if ((bits[doc >> 3]! & (1 << (doc & 7))) !== 0) offsets.push(offset)
      }
      return offsets
    },
  }
}

interface QueryTermBytes {
  readonly bytes: Buffer
  readonly isPrefix: boolean
}

function prepareSegmentDocs(db: DatabaseSync, { check }: ReadLimits) {
  const select = prepareRows(db, pagesFrom)
  function* pages(segmentNo: number, word: Buffer) {
    for (const row of select.iterate({ segmentNo, word })) {
      check()
      yield (row as unknown as [Uint8Array])[0]
    }
  }
  return (segmentNo: number, docCount: number, words: readonly QueryTermBytes[]): Uint8Array => {
    let all: Uint8Array | undefined
    for (const { bytes, isPrefix } of words) {
      const own = new Uint8Array((docCount + 7) >> 3)
      let count = 0
      readPostings(pages(segmentNo, bytes), bytes, isPrefix, (doc) => {
        own[doc >> 3]! |= 1 << (doc & 7)
        count += 1
      })
      all = all === undefined ? own : all.map((bits, at) => bits & own[at]!)
      if (count === 0) break
    }
    return all ?? new Uint8Array()
  }
}

function countBits(bits: Uint8Array): number {
  let count = 0
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) count += 1
  return count
}

function docsOfBits(bits: Uint8Array, firstDoc: number): number[] {
  const docs: number[] = []
  for (const [at, byte] of bits.entries()) {
    for (let rest = byte; rest !== 0; rest &= rest - 1) {
      docs.push(firstDoc + at * 8 + 31 - Math.clz32(rest & -rest))
    }
  }
  return docs
}
