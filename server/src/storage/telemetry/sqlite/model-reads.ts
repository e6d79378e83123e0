import type { DatabaseSync } from 'node:sqlite'
import type { ModelPage, ModelQuery } from '../port/pricing.ts'
import { sumUsedModels } from '../used-models.ts'
import { prepareRows, readRows } from './database.ts'
import type { ReadLimits } from './read-limits.ts'
import { type ModelSpanRow, modelSpanColumns } from './span-columns.ts'
import { newestTracesInRange, spansWithModels } from './statements/pricing.ts'

/*
 * The models of the newest traces of a project, in a reader thread.
 */

export type ModelReads = (projectId: string, query: ModelQuery) => ModelPage

export function openModelReads(db: DatabaseSync, { check }: ReadLimits): ModelReads {
  const traces = prepareRows(db, newestTracesInRange)
  const spans = prepareRows(db, spansWithModels)
  return (projectId, { range, traceLimit, limit }) => {
    const bindings = { projectId, ...range, limit: traceLimit + 1 }
    const found = readRows<readonly [number]>(traces, bindings)
    const examined = found.slice(0, traceLimit)
    const models = sumUsedModels()
    for (const [traceNo] of examined) {
      check()
      const rows = readRows<ModelSpanRow>(spans, { traceNo })
      models.addTrace(rows.map(modelSpanColumns.fromRow))
    }
    return {
      models: models.first(limit),
      traceCount: examined.length,
      isComplete: found.length <= traceLimit,
    }
  }
}
