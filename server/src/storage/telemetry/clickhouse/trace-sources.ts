import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '@assay/contract/limits.ts'
import { TraceAggregate } from '../aggregates/trace-aggregate.ts'
import type { Connection } from './connection.ts'
import type { CountedTrace, LargeTraces } from './large-traces.ts'
import { ofTraces, type TraceKey, toKey } from './parameter-lists.ts'
import { type CountedRow, countedColumns } from './span-columns.ts'
import { countedSpans, labelsOfTraces, newerSpans, versionsOfSpans } from './statements/traces.ts'
import { type LabelRow, labelColumns, tagPrefix } from './trace-labels.ts'

/*
 * What the rows of traces are computed from: everything that is stored of them. Of a large trace that is cached, only what
 * was stored since is read, and it is used only if its versions are those of all that is stored.
 */

export interface TraceSources extends CountedTrace, StoredLabels {}

interface StoredLabels {
  /** As many as count: people may change tags any number of times. */
  readonly labels: readonly LabelRow[]
  /** The sum of the versions of all. */
  readonly labelsVersion: bigint
}

const noLabels: StoredLabels = { labels: [], labelsVersion: 0n }

/** Those of the traces that have spans, by key. */
export async function readSources(
  connection: Connection,
  keys: readonly TraceKey[],
  large: LargeTraces,
): Promise<ReadonlyMap<string, TraceSources>> {
  const cached = new Map<string, CountedTrace>()
  for (const key of keys) {
    const trace = large.take(toKey(key))
    if (trace !== undefined) cached.set(toKey(key), trace)
  }
  const [labels, current] = await Promise.all([
    readLabels(connection, keys),
    updateCached(connection, keys, cached),
  ])
  const read = await readSpans(
    connection,
    keys.filter((key) => !current.has(toKey(key))),
  )
  return new Map(
    [...read, ...current].map(([key, trace]) => [
      key,
      { ...trace, ...(labels.get(key) ?? noLabels) },
    ]),
  )
}

/** Of the cached traces, those that are complete with what was stored since. */
async function updateCached(
  connection: Connection,
  keys: readonly TraceKey[],
  cached: ReadonlyMap<string, CountedTrace>,
): Promise<ReadonlyMap<string, CountedTrace>> {
  const known = keys.filter((key) => cached.has(toKey(key)))
  if (known.length === 0) return cached
  const current = new Map<string, CountedTrace>()
  for (const key of known) {
    const trace = cached.get(toKey(key))!
    const [project, id] = key
    const after = trace.newest
    const rows = await connection.rows(newerSpans, { project, trace: id, after })
    current.set(toKey(key), countSpans(rows.map(countedColumns.fromRow), trace))
  }
  // After them: what another process has stored meanwhile makes a difference, and is never left out.
  const versions = await connection.rows(versionsOfSpans, ofTraces(known))
  const complete = new Set(
    versions.flatMap(([project, trace, version]) => {
      const key = toKey([String(project), String(trace)])
      return String(current.get(key)?.version) === version ? [key] : []
    }),
  )
  return new Map([...current].filter(([key]) => complete.has(key)))
}

async function readSpans(
  connection: Connection,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, CountedTrace>> {
  const traces = new Map<string, CountedTrace>()
  if (keys.length === 0) return traces
  for await (const rows of connection.stream(countedSpans, ofTraces(keys))) {
    const byTrace = Map.groupBy(rows.map(countedColumns.fromRow), ({ projectId, traceId }) =>
      toKey([projectId, traceId]),
    )
    for (const [key, spans] of byTrace) {
      traces.set(key, countSpans(spans, traces.get(key)))
    }
    await nextTurn()
  }
  return traces
}

/** Adds spans to a trace, or replaces those with their ids. */
export function countSpans(
  added: readonly CountedRow[],
  { spans, ...trace }: CountedTrace = {
    ...{ spans: new TraceAggregate<CountedRow>({ isStale: true }), version: 0n, newest: 0n },
  },
): CountedTrace {
  let { version, newest } = trace
  for (const span of added) {
    const own = BigInt(span.version)
    version += own - BigInt(spans.get(span.spanId)?.version ?? 0)
    if (own > newest) newest = own
    spans.set(span.spanId, span)
  }
  return { spans, version, newest }
}

async function readLabels(
  connection: Connection,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, StoredLabels>> {
  const most = { ofTags: limits.tagsPerTrace.value, tagPrefix }
  const rows = await connection.rows(labelsOfTraces, { ...ofTraces(keys), ...most })
  const found = rows.map((row) => ({ ...labelColumns.fromRow(row), total: String(row.at(-1)) }))
  const byTrace = Map.groupBy(found, ({ projectId, traceId }) => toKey([projectId, traceId]))
  return new Map(
    [...byTrace].map(([key, labels]) => [
      key,
      { labels, labelsVersion: BigInt(labels[0]?.total ?? 0) },
    ]),
  )
}
