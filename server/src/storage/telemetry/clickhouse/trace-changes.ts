import type { Removal } from '../port/removal.ts'
import type { TraceTags } from '../port/trace-tags.ts'
import type { Engine } from './engine.ts'
import { openTagChanges } from './tag-changes.ts'
import { type MovePorts, moveTrace } from './trace-moves.ts'
import { openTraceRemoval } from './trace-removal.ts'
import type { TraceRepair } from './trace-repair.ts'

/*
 * The operations of the port that change, move and remove what is stored.
 */

/** Removed in one call. */
const recordsAtOnce = 1000

export interface MoveBetweenShards {
  readonly movePorts: MovePorts
  /** `moveTrace`, from a project in another database. */
  moveTraceFrom(
    source: MovePorts,
    projectId: string,
    fromProjectId: string,
    traceId: string,
  ): ReturnType<Removal['moveTrace']>
}

export function traceChanges(
  engine: Engine,
  { repair }: TraceRepair,
): TraceTags & Removal & MoveBetweenShards {
  const { connection, recording, nextVersion, idempotencyRecords, now, notify, write, change } =
    engine
  const removal = openTraceRemoval(connection)
  const changeTags = openTagChanges(connection, nextVersion, recording)
  const movePorts: MovePorts = { connection, recording, repair }
  const moveTraceFrom: MoveBetweenShards['moveTraceFrom'] = (
    source,
    projectId,
    fromProjectId,
    traceId,
  ) =>
    change(projectId, async () => {
      const from = { ...source, projectId: fromProjectId }
      const outcome = await moveTrace({ ...movePorts, projectId }, from, traceId, now())
      if (outcome === 'adopted') notify(projectId, [traceId])
      return outcome
    })
  return {
    ...{ movePorts, moveTraceFrom },
    changeTags: (projectId, traceIds, changes) =>
      change(projectId, async () => {
        const changed = await changeTags(projectId, traceIds, changes, now())
        notify(projectId, changed)
        return changed
      }),
    removeTrace: (projectId, traceId) =>
      change(projectId, () => removal.removeTrace(projectId, traceId)),
    removeOldTraces: (projectId, before) =>
      change(projectId, () => removal.removeOldTraces(projectId, before)),
    moveTrace: (projectId, fromProjectId, traceId) =>
      moveTraceFrom(movePorts, projectId, fromProjectId, traceId),
    removeOldSignals: (projectId, before) =>
      change(projectId, () => removal.removeOldSignals(projectId, before)),
    removeOldIdempotencyRecords: (before) =>
      write<'more' | 'removed'>(async () => {
        const time = new Date(Number(before / 1_000_000n)).toISOString()
        const isMore = await idempotencyRecords.removeOld(time, recordsAtOnce)
        return isMore ? 'more' : 'removed'
      }),
    removeProject: (projectId) =>
      change<'more' | 'removed'>(projectId, async () => {
        await removal.removeProject(projectId)
        await idempotencyRecords.removeOfProject(projectId)
        return 'removed'
      }),
  }
}
