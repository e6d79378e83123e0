import type { ScoredTrace, ScoredTracePage, ScoredTraceQuery } from '../port/scores.ts'
import type { At } from '../positions.ts'
import type { Connection, StatementOptions } from './connection.ts'
import { lastScore, scoredTraces } from './statements/scores.ts'
import { readTraceColumns, toTrace } from './trace-columns.ts'
import { toCondition } from './trace-filters.ts'

/** A trace by its score, with equal ones by their ids. */
export interface ScoredPosition {
  readonly value: number
  readonly id: string
}

/** Every value is between 0 and 1. */
const starts = {
  'lowest-first': { value: -1, id: '' },
  'highest-first': { value: 2, id: '' },
} as const

/** Traces in the order of their score by one name, down to where the scan limit ends. */
export async function readScoredTraces(
  connection: Connection,
  projectId: string,
  query: At<ScoredPosition, ScoredTraceQuery>,
  options: StatementOptions,
): Promise<Omit<ScoredTracePage, 'next'> & { readonly next: ScoredPosition | undefined }> {
  const { name, order, filters, limit, scanLimit, after = starts[query.order] } = query
  const range = {
    ...{ project: projectId, sortName: name },
    ...{ afterValue: after.value, afterId: after.id },
  }
  const [last] = await connection.rows(lastScore(order), { ...range, scanLimit }, options)
  const [value, id, count] = [Number(last![0]), String(last![1]), Number(last![2])]
  if (count === 0) return { traces: [], next: undefined, isComplete: true }
  const { text, parameters } = toCondition(filters)
  const rows = await connection.rows(
    scoredTraces(order, text),
    { ...range, ...parameters, endValue: value, endId: id, limit: limit + 1 },
    options,
  )
  const traces = rows.slice(0, limit).map((row): ScoredTrace => {
    const [ofTrace, passed] = [row[scoreColumn], row[scoreColumn + 1]]
    return { trace: toTrace(projectId, row), value: Number(ofTrace), passed: passed === true }
  })
  const lastTrace = rows.length > limit ? traces.at(-1) : undefined
  if (lastTrace !== undefined) {
    const next = { value: lastTrace.value, id: lastTrace.trace.traceId }
    return { traces, next, isComplete: true }
  }
  const isComplete = count < scanLimit
  return { traces, next: isComplete ? undefined : { value, id }, isComplete }
}

const scoreColumn = readTraceColumns.count
