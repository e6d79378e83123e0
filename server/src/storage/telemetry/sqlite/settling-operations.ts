import type { Position } from '../port/position.ts'
import type { SettledTracePage, Settling } from '../port/settling.ts'
import {
  decodeAfter,
  decodeNumber,
  decodeTime,
  encodeTime,
  type TimePosition,
} from '../positions.ts'
import type { ReaderPool } from './reader-pool.ts'
import type { SettledRows } from './settling-reads.ts'
import { readTraceNo, toTrace } from './trace-columns.ts'

/*
 * The store's operations on settled traces, on the main thread.
 */

/** The writer takes the time of a change in the transaction that stores it. */
const longestCommitMs = 1000

interface Dependencies {
  readonly pool: Pick<ReaderPool, 'scan'>
  /** Throws once the store is closed. */
  readonly checkOpen: () => void
}

export function settlingOperations({ pool, checkOpen }: Dependencies): Settling {
  return {
    listedWithinMs: () => longestCommitMs,
    async listSettledTraces(projectId, query, options) {
      checkOpen()
      const decoded = decodeAfter(query, decodeSettled)
      return toPage(projectId, await pool.scan('settledTraces', [projectId, decoded], options))
    },
  }
}

function decodeSettled(position: Position): TimePosition {
  const { at, id } = decodeTime(position)
  return { at, id: String(decodeNumber(id)) }
}

function toPage(projectId: string, { traces, end, remaining }: SettledRows): SettledTracePage {
  return {
    traces: traces.map(([row, settledAt]) => ({
      trace: toTrace(projectId, row),
      ...toPosition(settledAt, readTraceNo(row)),
    })),
    end: end && toPosition(...end),
    remaining,
  }
}

function toPosition(at: string, traceNo: number) {
  const settledAt = BigInt(at)
  return { settledAt, position: encodeTime({ at: settledAt, id: String(traceNo) }) }
}
