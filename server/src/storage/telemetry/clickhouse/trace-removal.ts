import type { Instant } from '../../../domain/instant.ts'
import type { Position } from '../port/position.ts'
import type { Removal, RemovedTraces } from '../port/removal.ts'
import type { Connection } from './connection.ts'
import type { SpanRecording } from './span-recording.ts'
import {
  copyRows,
  deleteOfProject,
  deleteOfTraces,
  deleteOldSignals,
  deleteSeries,
  oldestTraces,
  seriesWithoutPoints,
  tablesOfProjects,
  tablesOfTraces,
} from './statements/trace-removal.ts'
import { oneTrace } from './statements/traces.ts'

/*
 * Removes and moves traces. The row of a trace is the last one to be deleted, so that a call which was interrupted finds
 * the trace when it is repeated.
 */

export type TraceRemoval = Pick<Removal, 'removeTrace' | 'removeOldTraces'> & {
  removeOldSignals(projectId: string, before: Instant): Promise<Position | undefined>
  /** All that a project has in the tables. */
  removeProject(projectId: string): Promise<void>
  moveTrace(
    projectId: string,
    fromProjectId: string,
    traceId: string,
    at: Instant,
  ): ReturnType<Removal['moveTrace']>
}

/** Their ids are in the address of a request. */
const tracesAtOnce = 500
const seriesAtOnce = 500

export function openTraceRemoval(
  connection: Connection,
  recording: Pick<SpanRecording, 'recompute'>,
): TraceRemoval {
  const exists = async (projectId: string, traceId: string) =>
    (await connection.rows(oneTrace, { project: projectId, trace: traceId })).length > 0
  const remove = async (projectId: string, ids: readonly string[]) => {
    for (const table of tablesOfTraces) {
      await connection.execute(deleteOfTraces(table), { project: projectId, ids })
    }
  }
  return {
    async removeTrace(projectId, traceId) {
      const isThere = await exists(projectId, traceId)
      if (isThere) await remove(projectId, [traceId])
      return isThere
    },

    async removeOldTraces(projectId, before): Promise<RemovedTraces> {
      const rows = await connection.rows(oldestTraces, {
        ...{ project: projectId, before, limit: tracesAtOnce },
      })
      if (rows.length > 0)
        await remove(
          projectId,
          rows.map(([id]) => String(id)),
        )
      return { traceCount: rows.length, isDone: rows.length < tracesAtOnce }
    },

    async moveTrace(projectId, fromProjectId, traceId, at) {
      if (!(await exists(fromProjectId, traceId))) {
        return (await exists(projectId, traceId)) ? 'exists' : 'not_found'
      }
      if (await exists(projectId, traceId)) return 'exists'
      const parameters = { from: fromProjectId, to: projectId, trace: traceId }
      for (const statement of copyRows) await connection.execute(statement, parameters)
      await recording.recompute([[projectId, traceId]], at)
      await remove(fromProjectId, [traceId])
      return 'adopted'
    },

    async removeOldSignals(projectId, before) {
      const parameters = { project: projectId, before }
      for (const statement of deleteOldSignals) await connection.execute(statement, parameters)
      const rows = await connection.rows(seriesWithoutPoints, {
        ...{ project: projectId, limit: seriesAtOnce },
      })
      if (rows.length === 0) return undefined
      const series = rows.map(([id]) => String(id))
      await connection.execute(deleteSeries, { project: projectId, series })
      return rows.length < seriesAtOnce ? undefined : 'more'
    },

    async removeProject(projectId) {
      for (const table of tablesOfProjects) {
        await connection.execute(deleteOfProject(table), { project: projectId })
      }
    },
  }
}
