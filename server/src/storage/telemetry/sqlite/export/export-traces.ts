import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SpanBody, TraceLabels } from '../../../../domain/span.ts'
import {
  DamagedRow,
  dayNanos,
  type MovedSpan,
  type MovedTrace,
  startOfDay,
} from '../../moved-rows.ts'
import { inflate } from '../blocks.ts'
import { parseBody } from '../body-text.ts'
import { iterateRows, prepareRows } from '../database.ts'
import { type ScoreRow, scoreColumns, toScore } from '../score-columns.ts'
import { readBodyLocation, type SpanRow, spanColumns, toSpanHead } from '../span-columns.ts'
import { readBlock } from '../statements/blocks.ts'
import { readTraceColumns, readTraceNo, type TraceRow, toTrace } from '../trace-columns.ts'

/*
 * Reads traces with everything that belongs to them, day by day.
 */

export function openTraceExport(db: DatabaseSync) {
  const statements = {
    traces: prepareRows(db, tracesOfDay),
    spans: prepareRows(db, `SELECT ${spanColumns.selection} FROM spans WHERE trace_no = :traceNo`),
    scores: prepareRows(
      db,
      `SELECT ${scoreColumns.selection} FROM scores WHERE trace_no = ? ORDER BY score_id`,
    ),
  }
  const readBody = openBodies(prepareRows(db, readBlock))

  function* spansOf(projectId: string, traceId: string, traceNo: number): Generator<MovedSpan> {
    const where = `trace ${traceId} of project ${projectId}`
    let last: string | undefined
    try {
      for (const row of iterateRows<SpanRow>(statements.spans, { traceNo })) {
        const { source } = spanColumns.fromRow(row)
        const head = toSpanHead(row)
        last = head.spanId
        yield { ...head, traceId, source, body: readBody(`span ${last} of ${where}`, row) }
      }
    } catch (error) {
      if (error instanceof DamagedRow) throw error
      throw new DamagedRow(last === undefined ? where : `after span ${last} of ${where}`, error)
    }
  }

  return traces

  function* traces(projectId: string, projectNo: number, day: string): Generator<MovedTrace> {
    const from = startOfDay(day)
    const rows = iterateRows<readonly unknown[]>(statements.traces, {
      ...{ projectNo, from, to: from + dayNanos },
    })
    try {
      for (const row of rows) yield toMoved(projectId, row)
    } catch (error) {
      throw new DamagedRow(`traces of ${day} of project ${projectId}`, error)
    }
  }

  function toMoved(projectId: string, row: readonly unknown[]): MovedTrace {
    const stored = row.slice(0, traceColumnCount) as unknown as TraceRow
    const [labels, receivedAt, settlesAt] = row.slice(traceColumnCount) as unknown as Extra
    const trace = toTrace(projectId, stored)
    const traceNo = readTraceNo(stored)
    const scores = statements.scores.all(traceNo) as unknown as readonly ScoreRow[]
    return {
      trace,
      labels: labels === null ? null : (JSON.parse(labels) as TraceLabels),
      receivedAt: receivedAt === null ? null : BigInt(receivedAt),
      settlesAt: settlesAt === null ? null : BigInt(settlesAt),
      scores: scores.map((score) => toScore(trace.traceId, score)),
      spans: () => spansOf(projectId, trace.traceId, traceNo),
    }
  }
}

const tracesOfDay = `
  SELECT ${readTraceColumns.selection}, labels, CAST(received_at AS TEXT), CAST(settles_at AS TEXT)
  FROM traces INDEXED BY traces_by_start
  WHERE project_no = :projectNo AND started_at >= :from AND started_at < :to
  ORDER BY started_at, trace_id
`

type Extra = readonly [labels: string | null, receivedAt: string | null, settlesAt: string | null]

const traceColumnCount = readTraceColumns.keys.length

/** Spans are read in the order of their ids, which may alternate between the blocks of their batches. */
const cachedBlocksMax = 64

function openBodies(statement: StatementSync) {
  const blocks = new Map<number, Buffer>()
  const blockOf = (blockNo: number): Buffer => {
    const cached = blocks.get(blockNo)
    if (cached !== undefined) return cached
    const row = statement.get(blockNo) as unknown as readonly [number, Uint8Array] | undefined
    if (row === undefined) throw new Error('its body is missing')
    const bytes = inflate({ isCompressed: row[0] === 1, data: row[1] })
    if (blocks.size >= cachedBlocksMax) blocks.delete(blocks.keys().next().value!)
    blocks.set(blockNo, bytes)
    return bytes
  }
  return (name: string, row: SpanRow): SpanBody => {
    const { blockNo, bodyOffset, bodyBytes } = readBodyLocation(row)
    try {
      const end = bodyOffset + bodyBytes
      const block = blockOf(blockNo)
      if (block.length < end) throw new Error('its body is cut off')
      return checkedBody(block.toString('utf8', bodyOffset, end))
    } catch (error) {
      throw new DamagedRow(name, error)
    }
  }
}

/** The lengths at its beginning must be those of its parts. */
function checkedBody(text: string): SpanBody {
  const headEnd = text.indexOf('\n')
  const lengths = text.slice(0, headEnd).split(',').slice(0, 7).map(Number)
  const sum = lengths.reduce((total, length) => total + length, headEnd + 1)
  if (headEnd === -1 || sum !== text.length) throw new Error('its body has another length')
  return parseBody(text)
}
