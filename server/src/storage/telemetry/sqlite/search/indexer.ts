import type { DatabaseSync } from 'node:sqlite'
import { wordsOf } from '../../../../domain/search-words.ts'
import { inflated } from '../blocks.ts'
import { bodyOf } from '../body-text.ts'
import { prepareRows } from '../database.ts'
import { readBlock } from '../statements/blocks.ts'
import {
  blocksAfter,
  changesAfter,
  deleteDoc,
  deleteWords,
  docsOfTrace,
  findDoc,
  insertDoc,
  insertWords,
  lastGivenNumbers,
  projectOfTrace,
  putPosition,
  readPosition,
  spansInBlocks,
} from '../statements/search.ts'

/*
 * Brings the index up to the telemetry file, round by round. Where it stands is written with what it has
 * taken in, so that after any end it goes on from there. Blocks are numbered as they are committed, and each
 * new form of a span lies in a new block.
 */

export interface Indexer {
  /** Takes in some of what is missing; false where nothing is. */
  round(): boolean
  /** Changes up to this one need not be kept any longer. */
  readonly takenChanges: number
}

/** What the index lacks, as of one moment. */
interface Missing {
  /** Whose spans are to be taken in from the first one. */
  readonly changedTraces: readonly number[]
  readonly spans: readonly SpanText[]
  readonly upTo: Position
}

const blocksAtOnce = 64
const changesAtOnce = 16
const lastBlock = Number.MAX_SAFE_INTEGER

export function openIndexer(telemetry: DatabaseSync, search: DatabaseSync): Indexer {
  const source = prepareSource(telemetry)
  const docs = prepareDocs(search)
  const put = search.prepare(putPosition)
  let [block, change] = startingPosition(telemetry, search)

  const read = (): Missing | undefined => {
    const changes = source.changesAfter(change)
    const blocks = source.blocksAfter(block)
    if (changes.length === 0 && blocks.length === 0) return undefined
    const spans: SpanText[] = []
    const changedTraces = changes.map(([, traceNo]) => traceNo)
    for (const traceNo of changedTraces) {
      source.eachSpan(traceNo, 0, lastBlock, (span) => spans.push(span))
    }
    for (const [traceNo, first, last] of rangesByTrace(blocks)) {
      source.eachSpan(traceNo, first, last, (span) => spans.push(span))
    }
    const upTo = [blocks.at(-1)?.[0] ?? block, changes.at(-1)?.[0] ?? change] as const
    return { changedTraces, spans, upTo }
  }
  const write = ({ changedTraces, spans, upTo }: Missing) => {
    search.exec('BEGIN IMMEDIATE')
    try {
      changedTraces.forEach(docs.removeTrace)
      spans.forEach(docs.put)
      put.run(...upTo)
      search.exec('COMMIT')
    } catch (error) {
      if (search.isTransaction) search.exec('ROLLBACK')
      throw error
    }
  }
  return {
    round() {
      // Only while it is read: the telemetry file's log cannot be emptied below an open transaction.
      telemetry.exec('BEGIN')
      let missing: Missing | undefined
      try {
        missing = read()
      } finally {
        telemetry.exec('COMMIT')
      }
      if (missing === undefined) return false
      write(missing)
      ;[block, change] = missing.upTo
      return true
    },
    get takenChanges() {
      return change
    },
  }
}

type Position = readonly [block: number, change: number]

/** An index that is ahead of the telemetry file belongs to another: it is emptied. */
function startingPosition(telemetry: DatabaseSync, search: DatabaseSync): Position {
  const position = prepareRows(search, readPosition).get() as unknown as Position
  const last = prepareRows(telemetry, lastGivenNumbers).get() as unknown as Position
  if (position[0] <= last[0] && position[1] <= last[1]) return position
  search.exec(`
    BEGIN IMMEDIATE;
    DELETE FROM docs;
    INSERT INTO words (words) VALUES ('delete-all');
    UPDATE position SET block_no = 0, change_no = 0;
    COMMIT;
  `)
  return [0, 0]
}

function rangesByTrace(
  blocks: readonly (readonly [blockNo: number, traceNo: number])[],
): [traceNo: number, first: number, last: number][] {
  const ranges = new Map<number, [number, number, number]>()
  for (const [blockNo, traceNo] of blocks) {
    const range = ranges.get(traceNo)
    if (range === undefined) ranges.set(traceNo, [traceNo, blockNo, blockNo])
    else range[2] = blockNo
  }
  return [...ranges.values()]
}

interface SpanText {
  readonly projectNo: number
  readonly traceNo: number
  readonly spanId: string
  readonly texts: readonly string[]
}

function prepareSource(db: DatabaseSync) {
  const blocks = prepareRows(db, blocksAfter)
  const changes = prepareRows(db, changesAfter)
  const project = prepareRows(db, projectOfTrace)
  const spans = prepareRows(db, spansInBlocks)
  const block = prepareRows(db, readBlock)
  type Numbers = [no: number, traceNo: number][]
  const readRaw = (blockNo: number): Buffer | undefined => {
    const row = block.get(blockNo) as unknown as readonly [number, Uint8Array] | undefined
    return row && inflated({ data: row[1], isCompressed: row[0] === 1 })
  }
  return {
    blocksAfter: (blockNo: number) => blocks.all(blockNo, blocksAtOnce) as unknown as Numbers,
    changesAfter: (changeNo: number) => changes.all(changeNo, changesAtOnce) as unknown as Numbers,

    eachSpan(traceNo: number, first: number, last: number, take: (span: SpanText) => void): void {
      const row = project.get(traceNo) as unknown as [number] | undefined
      if (row === undefined) return
      const [projectNo] = row
      const rows = spans.all(traceNo, first, last) as unknown as SpanRow[]
      rows.sort((a, b) => a[3] - b[3])
      let heldNo = -1
      let held: Buffer | undefined
      for (const [spanId, name, statusMessage, blockNo, offset, bytes] of rows) {
        if (blockNo !== heldNo) {
          held = readRaw(blockNo)
          heldNo = blockNo
        }
        const { input, output } = bodyOf(held?.toString('utf8', offset, offset + bytes) ?? '')
        const texts = [name, statusMessage ?? '', readable(input), readable(output)]
        take({ projectNo, traceNo, spanId, texts })
      }
    },
  }
}

type SpanRow = [
  spanId: string,
  name: string,
  statusMessage: string | null,
  blockNo: number,
  offset: number,
  bytes: number,
]

/** JSON with its escapes resolved, as far as words go. */
function readable(json: string): string {
  if (!json.includes('\\')) return json
  return json.replaceAll(/\\(?:u([0-9a-fA-F]{4})|.)/g, (_, hex?: string) =>
    hex === undefined ? ' ' : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function prepareDocs(db: DatabaseSync) {
  const find = prepareRows(db, findDoc)
  const ofTrace = prepareRows(db, docsOfTrace)
  const insert = prepareRows(db, insertDoc)
  const remove = db.prepare(deleteDoc)
  const addWords = db.prepare(insertWords)
  const removeWords = db.prepare(deleteWords)
  const removeOne = (docNo: number) => {
    removeWords.run(docNo)
    remove.run(docNo)
  }
  return {
    put({ projectNo, traceNo, spanId, texts }: SpanText): void {
      const known = find.get(traceNo, spanId) as unknown as [number] | undefined
      if (known !== undefined) removeOne(known[0])
      const words = wordsOf(texts)
      const [docNo] = insert.get(traceNo, spanId) as unknown as [number]
      const text: string[] = []
      for (const word of words) text.push(filedWord(projectNo, word))
      addWords.run(docNo, text.join(' '))
    },
    removeTrace(traceNo: number): void {
      for (const [docNo] of ofTrace.all(traceNo) as unknown as [number][]) removeOne(docNo)
    },
  }
}

/** A word as it stands in the index. */
export function filedWord(projectNo: number, word: string): string {
  return `${projectNo}_${word}`
}
