import type { ModelPage, ModelQuery } from '../port/pricing.ts'
import { type ModelSpan, sumUsedModels } from '../used-models.ts'
import type { Connection, StatementOptions } from './connection.ts'
import { splitForParameter } from './parameter-lists.ts'
import { modelSpanColumns } from './span-columns.ts'
import { newestTracesInRange, spansWithModels } from './statements/pricing.ts'
import { markedCallColumns } from './trace-columns.ts'

/** The models of the newest traces of a project. */
export async function readUsedModels(
  connection: Connection,
  projectId: string,
  { range, traceLimit, limit }: ModelQuery,
  options: StatementOptions,
): Promise<ModelPage> {
  const of = { project: projectId, ...range, limit: traceLimit + 1 }
  const rows = await connection.rows(newestTracesInRange, of, options)
  const examined = rows.slice(0, traceLimit).map(([id, ...marks]) => {
    const { repeatedCalls, separateCalls } = markedCallColumns.fromRow(marks)
    const marked = { repeats: new Map(repeatedCalls), separate: new Set(separateCalls) }
    return { traceId: String(id), ...marked }
  })
  const models = sumUsedModels()
  for (const traces of splitForParameter(examined, ({ traceId }) => traceId)) {
    const some = new Map(traces.map((trace) => [trace.traceId, trace]))
    let spans: ModelSpan[] = []
    let current: string | undefined
    const parameters = { project: projectId, ids: [...some.keys()] }
    for await (const list of connection.stream(spansWithModels, parameters, options)) {
      for (const row of list) {
        const span = modelSpanColumns.fromRow(row)
        if (span.traceId !== current) {
          models.addTrace(spans)
          spans = []
          current = span.traceId
        }
        const { repeats, separate } = some.get(span.traceId)!
        const repeatsSpanId = repeats.get(span.spanId) ?? null
        spans.push({ ...span, repeatsSpanId, isSeparateCall: separate.has(span.spanId) })
      }
    }
    models.addTrace(spans)
  }
  return {
    models: models.first(limit),
    traceCount: examined.length,
    isComplete: rows.length <= traceLimit,
  }
}
