import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { settlesAt } from '../../../domain/settling.ts'
import type { TraceTotals } from '../../../domain/trace-totals.ts'
import { toFacets } from '../aggregates/trace-facets.ts'
import { hasSameRows, toRollupHead, withModels } from '../aggregates/trace-rollup.ts'
import type { Recorded } from '../port/ingest.ts'
import { type Block, compress } from './blocks.ts'
import { prepareRows } from './database.ts'
import { type Facets, prepareFacets } from './facets.ts'
import { prepareRollups, type RollupWriter } from './rollups.ts'
import { prepareCounts, type RowCounts } from './row-counts.ts'
import type { SpanRow } from './span-columns.ts'
import { deleteBlock, insertBlock, lastBlockNo } from './statements/blocks.ts'
import { moveTraceToProject } from './statements/changes.ts'
import {
  deleteOldIdempotencyRecords,
  findIdempotencyRecord,
  insertIdempotencyRecord,
} from './statements/idempotency-records.ts'
import { countTraces, findProject, insertProject } from './statements/projects.ts'
import { putSpan, setRepeatsSpanId, setSeparateCall } from './statements/spans.ts'
import { insertTrace, updateIndexedColumns, updateUnindexedColumns } from './statements/traces.ts'
import { toStoredDelta } from './stored-delta.ts'
import {
  indexedTraceColumns,
  type StoredTrace,
  traceColumns,
  unindexedTraceColumns,
} from './trace-columns.ts'
import type { TraceState } from './trace-states.ts'

/*
 * The writer's statements, as functions. Each runs within the open transaction.
 */

export interface Writing {
  /** The number of the project, which is created if necessary. */
  projectNo(projectId: string): number
  findProjectNo(projectId: string): number | undefined
  findIdempotencyRecord(projectNo: number, key: string): Recorded | undefined
  insertIdempotencyRecord(projectNo: number, key: string, recorded: Recorded, at: Instant): void
  /** Removes at most `limit` records from before `before`; true where there may be more. */
  removeOldIdempotencyRecords(before: Instant, limit: number): boolean
  /** Never returns the same number again. */
  nextBlockNo(): number
  /** Compresses the block if necessary. */
  insertBlock(blockNo: number, traceNo: number, block: Block): void
  deleteBlock(blockNo: number): void
  putSpan(traceNo: number, row: SpanRow): void
  /** Writes the row, index entries and rollups that result from the trace's spans and labels. */
  putTrace(trace: TraceState, at: Instant): void
  /** Deletes the index entries and rollups of a trace whose row is deleted. */
  removeFromIndex(trace: StoredTrace): void
  /** Moves the row, index entries and rollups of a trace to another project. */
  moveToProject(trace: StoredTrace, projectNo: number, at: Instant): void
  /** Adds to the number of stored items of a signal, to be written with the rollups. */
  addToRowCount: RowCounts['add']
  /** Writes the changes of all traces together: once, before the commit. */
  writeRollups(): void
  /** Call after a rollback: cached rows may not be stored. */
  invalidate(): void
}

export function prepareWriting(db: DatabaseSync): Writing {
  const spans = db.prepare(putSpan)
  const move = db.prepare(moveTraceToProject)
  const facets = prepareFacets(db)
  const counts = prepareCounts(db)
  const aggregates = prepareRollups(db, counts)
  const projects = prepareProjects(db)
  return {
    ...projects,
    ...prepareIdempotency(db),
    ...prepareBlocks(db),
    putTrace: prepareTraces(db, facets, aggregates),
    putSpan(traceNo, row) {
      spans.run(traceNo, ...row)
    },
    removeFromIndex(trace) {
      facets.remove(trace)
      aggregates.add(trace.projectNo, toStoredDelta(trace), -1)
    },
    moveToProject(trace, projectNo, at) {
      const delta = toStoredDelta(trace)
      aggregates.add(trace.projectNo, delta, -1)
      aggregates.add(projectNo, delta, 1)
      const facetNos = facets.move(trace, projectNo)
      move.run({ projectNo, facets: JSON.stringify(facetNos), at, traceNo: trace.traceNo })
    },
    addToRowCount: counts.add,
    writeRollups() {
      aggregates.write()
      counts.write()
    },
    invalidate() {
      projects.invalidate()
      facets.invalidate()
      aggregates.invalidate()
      counts.invalidate()
    },
  }
}

function prepareProjects(
  db: DatabaseSync,
): Pick<Writing, 'projectNo' | 'findProjectNo' | 'invalidate'> {
  const find = prepareRows(db, findProject)
  const insert = prepareRows(db, insertProject)
  const known = new Map<string, number>()
  return {
    projectNo(projectId) {
      const cached = known.get(projectId)
      if (cached !== undefined) return cached
      const row = find.get(projectId) ?? insert.get(projectId)
      const [projectNo] = row as unknown as [number]
      known.set(projectId, projectNo)
      return projectNo
    },
    findProjectNo(projectId) {
      const row = find.get(projectId) as unknown as [number] | undefined
      return row?.[0]
    },
    invalidate: () => known.clear(),
  }
}

function prepareIdempotency(
  db: DatabaseSync,
): Pick<
  Writing,
  'findIdempotencyRecord' | 'insertIdempotencyRecord' | 'removeOldIdempotencyRecords'
> {
  const find = prepareRows(db, findIdempotencyRecord)
  const insert = db.prepare(insertIdempotencyRecord)
  const deleteOld = db.prepare(deleteOldIdempotencyRecords)
  return {
    findIdempotencyRecord(projectNo, key) {
      const row = find.get({ projectNo, key }) as unknown as
        | [note: string, traces: string]
        | undefined
      if (row === undefined) return undefined
      const [note, traces] = row
      return { traces: JSON.parse(traces), repeated: true, note, refusedSpans: 0 }
    },
    insertIdempotencyRecord(projectNo, key, { note, traces }, createdAt) {
      insert.run({ projectNo, key, note, traces: JSON.stringify(traces), createdAt })
    },
    removeOldIdempotencyRecords: (before, limit) =>
      Number(deleteOld.run({ before, limit }).changes) === limit,
  }
}

function prepareBlocks(
  db: DatabaseSync,
): Pick<Writing, 'nextBlockNo' | 'insertBlock' | 'deleteBlock'> {
  const insert = db.prepare(insertBlock)
  const remove = db.prepare(deleteBlock)
  const [last] = prepareRows(db, lastBlockNo).get() as unknown as [number]
  // Numbers are not reused: those of a failed transaction stay unused until the next start.
  let next = last + 1
  return {
    nextBlockNo: () => next++,
    insertBlock(blockNo, traceNo, block) {
      const { data, isCompressed } = block.isCompressed ? block : compress(block.data)
      insert.run(blockNo, traceNo, isCompressed ? 1 : 0, data)
    },
    deleteBlock(blockNo) {
      remove.run(blockNo)
    },
  }
}

function prepareTraces(
  db: DatabaseSync,
  facets: Facets,
  aggregates: RollupWriter,
): Writing['putTrace'] {
  const insert = db.prepare(insertTrace)
  const updateIndexed = db.prepare(updateIndexedColumns)
  const update = db.prepare(updateUnindexedColumns)
  const count = db.prepare(countTraces)
  const updateCallMarks = prepareCallMarks(db)

  return (trace, at) => {
    const totals = trace.spans.totals(trace.labels)
    updateCallMarks(trace)
    const facetsNow = toFacets(trace.spans.facetSources(), totals)
    trace.indexEntry = facets.index(trace, facetsNow, totals.startedAt)
    const stored = toStoredTrace(trace, totals, at)
    if (!trace.isStored) {
      insert.run(...traceColumns.toRow(stored))
      count.run(1, trace.projectNo)
    } else {
      update.run(...unindexedTraceColumns.toRow(stored), trace.traceNo)
      if (trace.totals === null || !hasSameIndexKeys(trace.totals, totals)) {
        updateIndexed.run(...indexedTraceColumns.toRow(stored), trace.traceNo)
      }
    }
    updateRollups(trace, totals, aggregates)
    trace.isStored = true
    trace.totals = totals
  }
}

/** Writes only what has changed. */
function prepareCallMarks(db: DatabaseSync): (trace: TraceState) => void {
  const updateRepeats = db.prepare(setRepeatsSpanId)
  const updateSeparate = db.prepare(setSeparateCall)
  const writeRepeats = ({ traceNo, repeats: stored, spans: { repeats } }: TraceState) => {
    for (const spanId of stored.keys()) {
      if (!repeats.has(spanId)) updateRepeats.run({ traceNo, spanId, repeatsSpanId: null })
    }
    for (const [spanId, repeatsSpanId] of repeats) {
      if (stored.get(spanId) !== repeatsSpanId) {
        updateRepeats.run({ traceNo, spanId, repeatsSpanId })
      }
    }
    return new Map(repeats)
  }
  const writeSeparate = ({ traceNo, separate: stored, spans: { separate } }: TraceState) => {
    for (const spanId of stored.symmetricDifference(separate)) {
      updateSeparate.run({ traceNo, spanId, isSeparateCall: separate.has(spanId) ? 1 : 0 })
    }
    return new Set(separate)
  }
  return (trace) => {
    if (trace.repeats.size + trace.spans.repeats.size > 0) trace.repeats = writeRepeats(trace)
    if (trace.separate.size + trace.spans.separate.size > 0) trace.separate = writeSeparate(trace)
  }
}

/** Writes only models that have changed, unless the trace is now counted elsewhere. */
function updateRollups(trace: TraceState, totals: TraceTotals, aggregates: RollupWriter): void {
  const { projectNo, rollup: earlier, spans } = trace
  const rollup = toRollupHead(totals)
  const models = spans.models.take()
  if (earlier !== null && hasSameRows(earlier, rollup)) {
    aggregates.add(projectNo, withModels(earlier, []), -1)
    aggregates.add(projectNo, withModels(rollup, models.changes), 1)
  } else {
    if (earlier !== null) aggregates.add(projectNo, withModels(earlier, models.earlier()), -1)
    aggregates.add(projectNo, withModels(rollup, spans.models.current), 1)
  }
  trace.rollup = rollup
}

function toStoredTrace(
  { traceNo, projectNo, traceId, labels, indexEntry, spans }: TraceState,
  totals: TraceTotals,
  updatedAt: Instant,
): StoredTrace {
  const facetNos = indexEntry?.facetNos ?? []
  const { modelCallCount: calls, unpricedCallCount: unpriced } = totals
  const models = Array.from(
    spans.models.current,
    ([model, each]) => [model, { ...each, latencies: [...each.latencies] }] as const,
  )
  const modelRollup = { calls, unpriced, models }
  return {
    ...{ ...totals, traceNo, projectNo, traceId, labels, facetNos, updatedAt, modelRollup },
    // Of a stored trace, the time of arrival is not overwritten.
    ...{ receivedAt: updatedAt, settlesAt: settlesAt(totals, updatedAt) },
  }
}

/** Whether the index entries of both are the same. */
function hasSameIndexKeys(a: TraceTotals, b: TraceTotals): boolean {
  return indexedTraceColumns.keys.every((key) => a[key] === b[key])
}
