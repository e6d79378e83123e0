import { examineCheck, stopCheck } from '../read-limits.ts'
import { readTraceColumns } from '../trace-columns.ts'
import { facetKeyNo, type NameParameters, namePart } from './facets.ts'
import { ofProject } from './traces.ts'

/*
 * Index scans over traces, newest first, to list or to count them.
 */

interface IndexScan {
  readonly table: string
  readonly condition: string
  /** The start of the trace: a column of the index, or with a plus sign where the traces are sorted. */
  readonly order: string
}

const indexScans = {
  newest: { table: 'traces INDEXED BY traces_by_start', condition: 'TRUE', order: 'started_at' },
  ofMode: {
    table: 'traces INDEXED BY traces_by_mode',
    condition: 'mode = :mode',
    order: 'started_at',
  },
  inError: {
    table: 'traces INDEXED BY error_traces_by_start',
    condition: `status = 'ERROR'`,
    order: 'started_at',
  },
  ofSession: {
    table: 'traces INDEXED BY traces_by_session',
    condition: 'session_id = :scanSession',
    order: 'started_at',
  },
  ofUser: {
    table: 'traces INDEXED BY traces_by_user',
    condition: 'user_id = :scanUser',
    order: 'started_at',
  },
  // One facet that many traces have.
  ofFacet: {
    table: 'facet_traces AS scan CROSS JOIN traces ON traces.trace_no = scan.facet_trace',
    condition: `scan.facet_no = :scanFacet
    AND scan.facet_at <= :beforeStart
    AND scan.facet_at >= :from`,
    order: 'scan.facet_at',
  },
  // Facets that few traces have: these are fetched and sorted.
  ofFewFacets: {
    table: 'traces',
    condition: `trace_no IN (
      SELECT facet_trace
      FROM json_each(:scanFacets) AS along
      JOIN facet_traces ON facet_no = along.value
      WHERE facet_at <= :beforeStart
        AND facet_at >= :from
    )`,
    order: '+started_at',
  },
  // A few traces by number, for example from a search.
  byNumber: {
    table: 'traces',
    condition: 'trace_no IN (SELECT value FROM json_each(:traceNos))',
    order: '+started_at',
  },
} as const satisfies Readonly<Record<string, IndexScan>>

export type PlanName = keyof typeof indexScans

/** The scan within the bounds. */
const scanClause = ({ table, condition }: IndexScan, check = stopCheck('traces.trace_no')) => `
  FROM ${table}
  WHERE ${ofProject}
    AND ${check}
    AND ${condition}
    AND (started_at, trace_id) < (:beforeStart, :beforeId)
    AND started_at >= :from
`

/** Whether a column has one of the values, and none of the excluded ones. Both are JSON arrays. */
const hasValue = (column: string, values: string, excluded: string) => `
    AND (${values} IS NULL OR ${column} IN (SELECT value FROM json_each(${values})))
    AND (
      ${excluded} IS NULL
      OR ${column} IS NULL
      OR ${column} NOT IN (SELECT value FROM json_each(${excluded}))
    )`

/** Whether the trace has one of the facets, a JSON array. */
const hasFacet = (facetNos: string) => `EXISTS (
        SELECT 1
        FROM json_each(${facetNos}) AS facet
        CROSS JOIN facet_traces ON facet_no = facet.value
          AND facet_at = started_at
          AND facet_trace = trace_no
      )`

const hasName = (name: NameParameters) => `EXISTS (
      SELECT 1
      FROM json_each(facets) AS own
      JOIN facet_values ON facet_no = own.value
      WHERE facet_values.key = ${facetKeyNo.name}
        AND ${namePart('facet_values.value', name)}
    )`

/** Whether a trace matches the filters. A name is compared with the trace's own and its spans' names. */
export const filterClause = `
    (:status IS NULL OR status = :status)
    AND (:mode IS NULL OR mode = :mode)
    AND (:source IS NULL OR source = :source)
    ${hasValue('environment', ':environments', ':noEnvironments')}
    ${hasValue('service', ':services', ':noServices')}
    ${hasValue('session_id', ':sessionIds', ':noSessionIds')}
    ${hasValue('user_id', ':userIds', ':noUserIds')}
    AND (:idFrom IS NULL OR (trace_id >= :idFrom AND trace_id < :idTo))
    AND (:rootName IS NULL OR root_name = :rootName)
    AND (:minCostUsd IS NULL OR cost_usd >= :minCostUsd)
    AND (:maxCostUsd IS NULL OR cost_usd <= :maxCostUsd)
    AND (:minTokens IS NULL OR tokens_in + tokens_out >= :minTokens)
    AND (:maxTokens IS NULL OR tokens_in + tokens_out <= :maxTokens)
    AND (:minDuration IS NULL OR ended_at - started_at >= :minDuration)
    AND (:maxDuration IS NULL OR ended_at - started_at <= :maxDuration)
    AND (:facets IS NULL OR NOT EXISTS (
      SELECT 1
      FROM json_each(:facets) AS requested
      WHERE NOT ${hasFacet('requested.value')}
    ))
    AND (:noFacets IS NULL OR NOT ${hasFacet(':noFacets')})
    AND (:name IS NULL OR ${hasName({ like: ':name', folded: ':namePart' })})
    AND (:noName IS NULL OR NOT ${hasName({ like: ':noName', folded: ':noNamePart' })})
    AND (:hasScore IS NULL OR :hasScore = EXISTS (
      SELECT 1 FROM scores WHERE scores.trace_no = traces.trace_no
    ))
    AND (:scoreName IS NULL OR EXISTS (
      SELECT 1
      FROM scores
      WHERE scores.trace_no = traces.trace_no
        AND scores.is_latest = 1
        AND scores.name = :scoreName
        AND scores.value BETWEEN :minScore AND :maxScore
        AND (:passed IS NULL OR scores.passed = :passed)
    ))
`

/** Whether the rows are examined in the order of the list; otherwise they are few, and sorted. */
export function isInOrder(name: PlanName): boolean {
  return !indexScans[name].order.startsWith('+')
}

export const scanTraces = (name: PlanName) => `
  SELECT ${readTraceColumns.selection}
  ${scanClause(indexScans[name], isInOrder(name) ? examineCheck('traces.trace_no', 'started_at') : undefined)}
    AND ${filterClause}
  ORDER BY ${indexScans[name].order} DESC, trace_id DESC
  LIMIT :limit
`

/** The start of the trace after `:skip` others of the scan, whether they match or not. */
export const scanBoundary = (name: PlanName) => `
  SELECT CAST(started_at AS TEXT)
  ${scanClause(indexScans[name])}
  ORDER BY ${indexScans[name].order} DESC, trace_id DESC
  LIMIT 1 OFFSET :skip
`

/** The starts of the first and the last match. */
export const scanExtent = (name: PlanName) => `
  SELECT CAST(min(started_at) AS TEXT), CAST(max(started_at) AS TEXT)
  ${scanClause(indexScans[name])}
    AND ${filterClause}
`

export const scanCount = (name: PlanName) => `
  SELECT count(*), count(*) FILTER (WHERE status = 'ERROR')
  ${scanClause(indexScans[name])}
    AND ${filterClause}
`
