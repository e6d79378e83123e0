import type { DatabaseSync } from 'node:sqlite'
import { limits as contractLimits } from '@assay/contract/limits.ts'
import { findMissing } from '../attribute-match.ts'
import type { AttributeFilter } from '../port/traces.ts'
import { inflate } from './blocks.ts'
import { parseBody } from './body-text.ts'
import { prepareRows, readRows } from './database.ts'
import type { ReadLimits } from './read-limits.ts'
import { readBlock } from './statements/blocks.ts'
import { bodiesOfTrace } from './statements/spans.ts'
import { readTraceNo, type TraceRow } from './trace-columns.ts'

/*
 * Compares the attributes of traces, which no index has: the bodies of their spans are read one block after the other, up
 * to a number of bytes, and one trace more.
 */

export interface AttributeReader {
  /** The bytes are counted from here on. */
  begin(filters: readonly AttributeFilter[]): AttributeComparison
}

export interface AttributeComparison {
  /** Whether the trace matches. One that is not decided within the number of bytes does not. */
  matches(trace: TraceRow): boolean
  /** Whether no other trace is to be compared. */
  isSpent(): boolean
}

type BodyRow = readonly [blockNo: number, offset: number, bytes: number]

export function openAttributeReader(
  db: DatabaseSync,
  limits: ReadLimits,
  bytesMax = contractLimits.attributeBytes.value,
): AttributeReader {
  const bodies = prepareRows(db, bodiesOfTrace)
  const block = prepareRows(db, readBlock)
  const readBytes = (blockNo: number): Buffer => {
    const [isCompressed, data] = block.get(blockNo) as unknown as [number, Uint8Array]
    return inflate({ data, isCompressed: isCompressed === 1 })
  }
  return {
    begin(filters) {
      let bytesRead = 0
      const excluded = filters.filter(({ isExcluded }) => isExcluded)
      const required = filters.filter(({ isExcluded }) => !isExcluded)
      return {
        isSpent: () => bytesRead >= bytesMax,
        matches(trace) {
          let missing: readonly AttributeFilter[] = required
          // A trace that was begun is compared, whatever others before it have used: its match would be lost.
          let bytesOfTrace = 0
          let last: { readonly blockNo: number; readonly bytes: Buffer } | undefined
          const rows = readRows<BodyRow>(bodies, { traceNo: readTraceNo(trace) })
          for (const [blockNo, offset, length] of rows) {
            if (last?.blockNo !== blockNo) {
              limits.check()
              if (bytesOfTrace >= bytesMax) return false
              last = { blockNo, bytes: readBytes(blockNo) }
              bytesOfTrace += last.bytes.length
              bytesRead += last.bytes.length
            }
            const body = last.bytes.subarray(offset, offset + length)
            if (findMissingIn(body, excluded).length < excluded.length) return false
            missing = findMissingIn(body, missing)
            if (missing.length === 0 && excluded.length === 0) return true
          }
          return missing.length === 0
        },
      }
    },
  }
}

/** The filters that a body does not match. */
function findMissingIn(
  bytes: Buffer,
  filters: readonly AttributeFilter[],
): readonly AttributeFilter[] {
  const possible = filters.filter(({ key }) => mayHaveKey(bytes, key))
  if (possible.length === 0) return filters
  const missing = findMissing(parseBody(bytes.toString()), possible)
  return filters.filter((filter) => !possible.includes(filter) || missing.includes(filter))
}

/** Much faster than parsing. Other keys than these may be escaped in JSON. */
function mayHaveKey(bytes: Buffer, key: string): boolean {
  return !/^[\w.-]+$/.test(key) || bytes.includes(`"${key}"`)
}
