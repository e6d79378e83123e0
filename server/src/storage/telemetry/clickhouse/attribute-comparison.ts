import { limits } from '@assay/contract/limits.ts'
import type { SpanBody, Trace } from '../../../domain/span.ts'
import { findMissing } from '../attribute-match.ts'
import type { AttributeFilter } from '../port/traces.ts'
import { defineColumns } from './columns.ts'
import type { Connection, StatementOptions } from './connection.ts'
import { attributesOfTraces } from './statements/spans.ts'

/*
 * Compares the attributes of traces, which are stored as text: the engine leaves out spans without any of the keys.
 */

export interface AttributeComparison {
  /** Those that match among the first `count`, where the comparison has to end. */
  compare(
    traces: readonly Trace[],
    options: StatementOptions,
  ): Promise<{ readonly matches: readonly Trace[]; readonly count: number }>
  /** Whether no other trace is to be compared. */
  isSpent(): boolean
}

const tracesAtOnce = 50

const columns = defineColumns<Pick<SpanBody, 'attributes' | 'resource'> & { traceId: string }>({
  traceId: ['trace_id', 'text'],
  attributes: ['attributes', 'text'],
  resource: ['resource', 'text'],
})

export function openAttributeComparison(
  connection: Connection,
  projectId: string,
  filters: readonly AttributeFilter[],
): AttributeComparison {
  const excluded = filters.filter(({ isExcluded }) => isExcluded)
  const required: readonly AttributeFilter[] = filters.filter(({ isExcluded }) => !isExcluded)
  let [tracesCompared, bytesRead] = [0, 0]
  const isSpent = () =>
    tracesCompared >= limits.attributeTraces.value || bytesRead >= limits.attributeBytes.value
  const compareSome = async (traces: readonly Trace[], options: StatementOptions) => {
    const missing = new Map(traces.map(({ traceId }) => [traceId, required]))
    const leftOut = new Set<string>()
    const parameters = {
      ...{ project: projectId, ids: traces.map(({ traceId }) => traceId) },
      keys: filters.map(({ key }) => JSON.stringify(key)),
    }
    for await (const rows of connection.stream(attributesOfTraces, parameters, options)) {
      for (const row of rows) {
        const { traceId, ...attributes } = columns.fromRow(row)
        bytesRead += attributes.attributes.length + attributes.resource.length
        const open = missing.get(traceId) ?? []
        if (open.length > 0) missing.set(traceId, findMissing(attributes, open))
        if (findMissing(attributes, excluded).length < excluded.length) leftOut.add(traceId)
      }
    }
    return traces.filter(
      ({ traceId }) => missing.get(traceId)?.length === 0 && !leftOut.has(traceId),
    )
  }
  return {
    isSpent,
    async compare(traces, options) {
      const matches: Trace[] = []
      let count = 0
      while (count < traces.length && !isSpent()) {
        const some = traces.slice(count, count + tracesAtOnce)
        matches.push(...(await compareSome(some, options)))
        count += some.length
        tracesCompared += some.length
      }
      return { matches, count }
    },
  }
}
