import { limits } from '@assay/contract/limits.ts'
import type { SpanBody, Trace } from '../../../domain/span.ts'
import { currentRequester } from '../../../platform/current-requester.ts'
import { openTimeSlices } from '../../../platform/time-slices.ts'
import { findMissing } from '../attribute-match.ts'
import type { AttributeFilter } from '../port/traces.ts'
import { defineColumns } from './columns.ts'
import type { Connection, StatementOptions } from './connection.ts'
import { attributeSizes, attributesOfTraces } from './statements/spans.ts'

/*
 * Compares the attributes of traces, which are stored as text: the engine leaves out spans without any of the keys. Of a
 * number of bytes, as many traces as fit are read, and one more; of a trace that is larger than all of it, not the rest.
 */

export interface AttributeComparison {
  /** Those that match among the first `count`, where the comparison has to end. */
  compare(
    traces: readonly Trace[],
    options: StatementOptions,
  ): Promise<{ readonly matches: readonly Trace[]; readonly count: number }>
}

const tracesAtOnce = 50

/** Attributes can be megabytes of JSON, which is parsed on the event loop: one span after the other, of all comparisons. */
const turns = openTimeSlices(4)

const columns = defineColumns<Pick<SpanBody, 'attributes' | 'resource'> & { traceId: string }>({
  traceId: ['trace_id', 'text'],
  attributes: ['attributes', 'text'],
  resource: ['resource', 'text'],
})

export function openAttributeComparison(
  connection: Pick<Connection, 'rows' | 'stream'>,
  projectId: string,
  filters: readonly AttributeFilter[],
  bytesMax = limits.attributeBytes.value,
): AttributeComparison {
  let [tracesCompared, bytesCompared] = [0, 0]
  const isSpent = () => tracesCompared >= limits.attributeTraces.value || bytesCompared >= bytesMax
  const takeNext = async (traces: readonly Trace[], options: StatementOptions) => {
    const parameters = { project: projectId, ids: traces.map(({ traceId }) => traceId) }
    const rows = await connection.rows(attributeSizes, parameters, options)
    const sizes = new Map(rows.map(([traceId, size]) => [String(traceId), Number(size)]))
    const taken: Trace[] = []
    for (const trace of traces) {
      const size = sizes.get(trace.traceId) ?? 0
      // A trace that is too large is compared alone.
      if (bytesCompared >= bytesMax || (size >= bytesMax && taken.length > 0)) break
      taken.push(trace)
      bytesCompared += size
      if (size >= bytesMax) break
    }
    return taken
  }
  return {
    async compare(traces, options) {
      const matches: Trace[] = []
      let count = 0
      while (count < traces.length && !isSpent()) {
        const some = await takeNext(traces.slice(count, count + tracesAtOnce), options)
        const found = readAttributes(connection, projectId, filters, some, options)
        matches.push(...(await findMatches(found, filters, some, bytesMax)))
        count += some.length
        tracesCompared += some.length
      }
      return { matches, count }
    },
  }
}

async function* readAttributes(
  connection: Pick<Connection, 'rows' | 'stream'>,
  projectId: string,
  filters: readonly AttributeFilter[],
  traces: readonly Trace[],
  options: StatementOptions,
) {
  const parameters = {
    ...{ project: projectId, ids: traces.map(({ traceId }) => traceId) },
    keys: filters.map(({ key }) => JSON.stringify(key)),
  }
  for await (const rows of connection.stream(attributesOfTraces, parameters, options)) {
    for (const row of rows) yield columns.fromRow(row)
  }
}

async function findMatches(
  spans: AsyncIterable<ReturnType<typeof columns.fromRow>>,
  filters: readonly AttributeFilter[],
  traces: readonly Trace[],
  bytesMax: number,
): Promise<readonly Trace[]> {
  const excluded = filters.filter(({ isExcluded }) => isExcluded)
  const required: readonly AttributeFilter[] = filters.filter(({ isExcluded }) => !isExcluded)
  const missing = new Map(traces.map(({ traceId }) => [traceId, required]))
  const leftOut = new Set<string>()
  let bytesRead = 0
  for await (const { traceId, ...span } of spans) {
    await turns.take(currentRequester())
    bytesRead += Buffer.byteLength(span.attributes) + Buffer.byteLength(span.resource)
    const left = missing.get(traceId) ?? []
    if (left.length > 0) missing.set(traceId, findMissing(span, left))
    if (findMissing(span, excluded).length < excluded.length) leftOut.add(traceId)
    if (traces.length > 1 || bytesRead < bytesMax) continue
    // What the rest of it has is not known.
    if (excluded.length > 0) leftOut.add(traceId)
    break
  }
  return traces.filter(({ traceId }) => missing.get(traceId)?.length === 0 && !leftOut.has(traceId))
}
