import type { Columns, Row } from '../columns.ts'
import type { Key, PagedTable } from '../read-pages.ts'
import { scoreColumns, versionedScoreColumns } from '../score-columns.ts'
import {
  arrivalOfBatch,
  contentColumns,
  logColumns,
  pointColumns,
  projectOfBatch,
  seriesColumns,
} from '../signal-columns.ts'
import { movedSpanColumns } from '../span-columns.ts'
import { type StoredTrace, storedTraceColumns } from '../trace-columns.ts'
import { labelColumns } from '../trace-labels.ts'

/*
 * The tables that a move fills. Rows are compared without their versions, which differ when it is repeated.
 */

/** Its columns begin with the project. */
export interface MovedTable extends PagedTable {
  toRow(value: never): Row
  fromRow(row: Row): unknown
  /** The day on which the row arrived; empty for tables without one. */
  dayOf(value: never): string
}

const traceColumns = storedTraceColumns.pick([
  ...(['projectId', 'traceId', 'arrivedOn', 'rootName', 'status', 'unfinished', 'mode'] as const),
  ...(['environment', 'tags', 'source', 'sessionId', 'userId', 'service', 'sdk'] as const),
  ...(['startedAt', 'endedAt', 'spanCount', 'errorCount', 'llmCallCount'] as const),
  ...(['toolCallCount', 'tokensIn', 'tokensOut', 'costUsd', 'modelCallCount'] as const),
  ...(['unpricedCallCount', 'models', 'updatedAt', 'receivedAt', 'settlesAt', 'names'] as const),
  ...(['foldedNames', 'kinds', 'latencyBucket', 'repeatedCalls', 'separateCalls'] as const),
  'modelSums',
]) satisfies Columns<Omit<StoredTrace, 'version'>>

const texts = (...names: readonly string[]): Key => names.map((name) => [name, 'String'])
const arrivedOn = (value: { readonly arrivedOn: string }) => value.arrivedOn
const [fewRows, manyRows] = [500, 5000]

/** One set of columns from two. */
function joined<A, B>(a: Columns<A>, b: Columns<B>) {
  const length = a.count
  return {
    columns: `${a.names}, ${b.names}`,
    toRow: (value: A & B): Row => [...a.toRow(value), ...b.toRow(value)],
    fromRow: (row: Row): A & B => ({
      ...a.fromRow(row.slice(0, length)),
      ...b.fromRow(row.slice(length)),
    }),
  }
}

function alone<A>({ names, toRow, fromRow }: Columns<A>) {
  return { columns: names, toRow, fromRow }
}

export const movedTables = {
  spans: {
    ...{ name: 'spans', ...alone(movedSpanColumns), dayOf: arrivedOn },
    ...{ key: texts('trace_id', 'span_id'), rowsAtOnce: fewRows },
  },
  traces: {
    ...{ name: 'traces', ...alone(traceColumns), dayOf: arrivedOn },
    ...{ key: texts('trace_id'), rowsAtOnce: manyRows },
  },
  labels: {
    name: 'trace_labels',
    ...alone(labelColumns.pick(['projectId', 'traceId', 'label', 'arrivedOn', 'value'])),
    ...{ key: texts('trace_id', 'label'), rowsAtOnce: manyRows, dayOf: arrivedOn },
  },
  scores: {
    name: 'scores',
    ...joined(versionedScoreColumns.pick(['projectId', 'arrivedOn']), scoreColumns),
    ...{ key: texts('trace_id', 'score_id'), rowsAtOnce: manyRows, dayOf: arrivedOn },
  },
  logs: {
    ...{ name: 'logs', ...joined(arrivalOfBatch, logColumns), dayOf: arrivedOn },
    key: [['at', 'Int64'], ...texts('log_id')] as Key,
    rowsAtOnce: manyRows,
  },
  contents: {
    ...{ name: 'span_contents', ...joined(arrivalOfBatch, contentColumns), dayOf: arrivedOn },
    ...{ key: texts('trace_id', 'span_id', 'log_id'), rowsAtOnce: fewRows },
  },
  series: {
    ...{ name: 'metric_series', ...joined(projectOfBatch, seriesColumns), dayOf: () => '' },
    ...{ key: texts('name', 'kind', 'unit', 'series_id'), rowsAtOnce: manyRows },
  },
  points: {
    ...{ name: 'metric_points', ...joined(arrivalOfBatch, pointColumns), dayOf: arrivedOn },
    key: [...texts('series_id'), ['at', 'Int64']] as Key,
    rowsAtOnce: manyRows,
  },
} as const satisfies Readonly<Record<string, MovedTable>>

export type MovedTableName = keyof typeof movedTables

/** A row of one of the tables, as its columns have it. */
export type MovedValue<Name extends MovedTableName> = Parameters<
  (typeof movedTables)[Name]['toRow']
>[0]
