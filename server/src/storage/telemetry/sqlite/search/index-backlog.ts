import type { DatabaseSync } from 'node:sqlite'
import type { Block } from '../blocks.ts'
import { prepareRows } from '../database.ts'
import { readBlock } from '../statements/blocks.ts'
import { blocksAfter, changesAfter, projectOfTrace, spansInBlocks } from '../statements/search.ts'

/*
 * What the index is missing, read from one snapshot of the telemetry file.
 */

/** The position of the index: the last block of bodies and the last change that it contains. */
export type Position = readonly [block: number, change: number]

export interface IndexBacklog {
  /** Their index entries are outdated. Those that still exist are among the blocks. */
  readonly changedTraces: readonly number[]
  /** By project, ordered by number. */
  readonly blocks: ReadonlyMap<number, readonly SourceBlock[]>
  readonly upTo: Position
}

export interface SourceBlock {
  readonly blockNo: number
  readonly traceNo: number
  readonly block: Block
  /** The spans that it contains now. */
  readonly spans: readonly SourceSpan[]
}

export interface SourceSpan {
  readonly spanId: string
  readonly name: string
  readonly statusMessage: string | null
  readonly bodyOffset: number
  readonly bodyBytes: number
}

type BlockRow = readonly [blockNo: number, traceNo: number, isCompressed: number, data: Uint8Array]
type SpanRow = readonly [
  spanId: string,
  name: string,
  statusMessage: string | null,
  blockNo: number,
  offset: number,
  bytes: number,
]

const blocksPerRound = 2048
const bytesPerRound = 8 * 1024 * 1024
const changesPerRound = 64

export function prepareSource(db: DatabaseSync) {
  const readChanges = prepareRows(db, changesAfter)
  const project = prepareRows(db, projectOfTrace)
  const readBlocks = prepareBlocks(db)
  const readSpans = prepareSpans(db)

  const read = ([lastBlock, lastChange]: Position): IndexBacklog | undefined => {
    const changes = readChanges.all(lastChange, changesPerRound) as unknown as [number, number][]
    const fresh = readBlocks.after(lastBlock)
    if (changes.length === 0 && fresh.length === 0) return undefined
    const upTo = [fresh.at(-1)?.[0] ?? lastBlock, changes.at(-1)?.[0] ?? lastChange] as const
    const changedTraces = new Set(changes.map(([, traceNo]) => traceNo))
    const traces = new Map<number, BlockRow[]>()
    for (const row of fresh) {
      if (changedTraces.has(row[1])) continue
      const rows = traces.get(row[1])
      if (rows === undefined) traces.set(row[1], [row])
      else rows.push(row)
    }
    for (const traceNo of changedTraces) traces.set(traceNo, [])

    const blocks = new Map<number, SourceBlock[]>()
    for (const [traceNo, rows] of traces) {
      const row = project.get(traceNo) as unknown as [number] | undefined
      if (row === undefined) continue
      const ofProject = blocks.get(row[0]) ?? []
      blocks.set(row[0], ofProject)
      const isWhole = changedTraces.has(traceNo)
      const spans = readSpans(traceNo, isWhole ? 0 : rows[0]![0], upTo[0])
      const own = isWhole ? readBlocks.these([...spans.keys()], traceNo) : rows
      for (const [blockNo, , isCompressed, data] of own) {
        const block = { data, isCompressed: isCompressed === 1 }
        const inBlock = spans.get(blockNo)
        if (inBlock !== undefined) ofProject.push({ blockNo, traceNo, block, spans: inBlock })
      }
    }
    return { changedTraces: [...changedTraces], blocks, upTo }
  }
  return {
    backlogAfter(position: Position): IndexBacklog | undefined {
      // Only while it is read: an open transaction prevents checkpoints of the telemetry file.
      db.exec('BEGIN')
      try {
        return read(position)
      } finally {
        db.exec('COMMIT')
      }
    },
  }
}

function prepareBlocks(db: DatabaseSync) {
  const after = prepareRows(db, blocksAfter)
  const one = prepareRows(db, readBlock)
  return {
    after(blockNo: number): BlockRow[] {
      const rows: BlockRow[] = []
      let bytes = 0
      for (const each of after.iterate(blockNo, blocksPerRound)) {
        const row = each as unknown as BlockRow
        rows.push(row)
        bytes += row[3].length
        if (bytes > bytesPerRound) break
      }
      return rows
    },
    these(blockNos: readonly number[], traceNo: number): BlockRow[] {
      return blockNos.map((blockNo) => {
        const [isCompressed, data] = one.get(blockNo) as unknown as [number, Uint8Array]
        return [blockNo, traceNo, isCompressed, data]
      })
    },
  }
}

function prepareSpans(db: DatabaseSync) {
  const select = prepareRows(db, spansInBlocks)
  return (traceNo: number, first: number, last: number): Map<number, SourceSpan[]> => {
    const rows = select.all(traceNo, first, last) as unknown as SpanRow[]
    rows.sort((a, b) => a[4] - b[4])
    const blocks = new Map<number, SourceSpan[]>()
    for (const [spanId, name, statusMessage, blockNo, bodyOffset, bodyBytes] of rows) {
      const span = { spanId, name, statusMessage, bodyOffset, bodyBytes }
      const inBlock = blocks.get(blockNo)
      if (inBlock === undefined) blocks.set(blockNo, [span])
      else inBlock.push(span)
    }
    return blocks
  }
}
