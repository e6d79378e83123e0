import type { Instant } from '../../../domain/instant.ts'
import { dayNanos } from '../moved-rows.ts'
import type { Position } from '../port/position.ts'
import type { Removal, RemovedTraces } from '../port/removal.ts'
import { firstInstant } from '../positions.ts'
import type { Connection } from './connection.ts'
import { splitForParameter } from './parameter-lists.ts'
import {
  anyOfTraces,
  deleteOfProject,
  deleteOfTraces,
  deleteOldSignals,
  deleteRecordings,
  deleteSeries,
  oldestKeys,
  oldestSignal,
  recordingsPricedLate,
  seriesWithoutPoints,
  tablesOfProjects,
  tablesOfSignals,
  tablesOfTraces,
  tracesBefore,
} from './statements/trace-removal.ts'
import { oneTrace, traceIdsWithSpans } from './statements/traces.ts'
import { removeRemains } from './trace-remains.ts'

/*
 * Removes traces. The row of a trace is deleted after all that is found by it, and the keys of the list after the row, so
 * that a call which was interrupted finds the trace when it is repeated.
 */

export type TraceRemoval = Pick<Removal, 'removeTrace' | 'removeOldTraces'> & {
  removeOldSignals(projectId: string, before: Instant): Promise<Position | undefined>
  /** All that a project has in the tables. */
  removeProject(projectId: string): Promise<void>
}

/** A deletion writes a mask for every part that has one of the rows, however many they are. */
const tracesAtOnce = 2000
const seriesAtOnce = 500
/** What is deleted at once. Parts have the rows of a month, so that less would write the masks of the same parts again. */
const monthNanos = 31n * dayNanos

export function openTraceRemoval(connection: Connection): TraceRemoval {
  const exists = async (projectId: string, traceId: string) =>
    (await connection.rows(oneTrace, { project: projectId, trace: traceId })).length > 0
  const remove = async (projectId: string, ids: readonly string[]) => {
    const parameters = { project: projectId, ids }
    for (const table of tablesOfTraces) {
      if ((await connection.rows(anyOfTraces(table), parameters)).length === 0) continue
      await connection.execute(deleteOfTraces(table), parameters)
    }
    await removePricedLate(projectId, ids)
    await removeRemains(connection, projectId, ids)
  }
  /** Priced since they were deleted, they would be a trace again. Spans that have arrived since then stay. */
  const removePricedLate = async (project: string, ids: readonly string[]) => {
    const left = await connection.rows(traceIdsWithSpans, { project, ids })
    if (left.length === 0) return
    const ofTraces = { project, ids: left.map(([id]) => String(id)) }
    const rows = await connection.rows(recordingsPricedLate, ofTraces)
    if (rows.length === 0) return
    const column = (index: number) => rows.map((row) => String(row[index]))
    const given = { traces: column(0), spans: column(1), recordings: column(2).map(BigInt) }
    await connection.execute(deleteRecordings, { ...ofTraces, ...given })
  }
  /**
   * Some of the oldest traces before an instant. Of the other keys of the list, those of traces that are not stored are
   * removed, and those of earlier states of a trace are skipped.
   */
  const findOld = async (project: string, before: Instant): Promise<readonly string[]> => {
    for (let after = { afterAt: firstInstant, afterId: '' }; ; ) {
      const keys = await connection.rows(oldestKeys, {
        ...{ project, before, ...after, limit: tracesAtOnce },
      })
      const last = keys.at(-1)
      if (last === undefined) return []
      const ids = new Set(keys.map(([, id]) => String(id)))
      for (const some of splitForParameter([...ids], (id) => id)) {
        const rows = await connection.rows(tracesBefore, { project, ids: some, before })
        if (rows.length > 0) return rows.map(([id]) => String(id))
        await removeRemains(connection, project, some)
      }
      after = { afterAt: BigInt(String(last[0])), afterId: String(last[1]) }
    }
  }
  return {
    async removeTrace(projectId, traceId) {
      const isThere = await exists(projectId, traceId)
      if (isThere) await remove(projectId, [traceId])
      else await removeRemains(connection, projectId, [traceId])
      return isThere
    },

    async removeOldTraces(projectId, before): Promise<RemovedTraces> {
      const ids = await findOld(projectId, before)
      if (ids.length > 0) await remove(projectId, ids)
      return { traceCount: ids.length, isDone: ids.length === 0 }
    },

    removeOldSignals: openSignalRemoval(connection),

    async removeProject(projectId) {
      for (const table of tablesOfProjects) {
        await connection.execute(deleteOfProject(table), { project: projectId })
      }
    },
  }
}

function openSignalRemoval(connection: Connection): TraceRemoval['removeOldSignals'] {
  /** Removes rows of the first month, if they are from before an instant. Returns whether there may be more. */
  const removeOldest = async (
    table: (typeof tablesOfSignals)[number],
    project: string,
    before: Instant,
  ): Promise<boolean> => {
    const [oldest] = await connection.rows(oldestSignal(table), { project, before })
    if (oldest === undefined) return false
    const end = BigInt(String(oldest[0])) + monthNanos
    await connection.execute(deleteOldSignals(table), {
      ...{ project, before: end < before ? end : before },
    })
    return end < before
  }
  return async (projectId, before) => {
    const parameters = { project: projectId, before }
    let isMore = false
    for (const table of tablesOfSignals) {
      if (await removeOldest(table, projectId, before)) isMore = true
    }
    if (isMore) return 'more'
    const rows = await connection.rows(seriesWithoutPoints, {
      ...{ ...parameters, limit: seriesAtOnce },
    })
    if (rows.length === 0) return undefined
    const series = rows.map(([id]) => String(id))
    await connection.execute(deleteSeries, { ...parameters, series })
    return rows.length < seriesAtOnce ? undefined : 'more'
  }
}
