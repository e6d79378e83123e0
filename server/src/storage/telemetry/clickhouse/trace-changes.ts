import type { Removal } from '../port/removal.ts'
import type { TraceTags } from '../port/trace-tags.ts'
import type { Engine } from './engine.ts'
import { openTagChanges } from './tag-changes.ts'
import { openTraceMoves } from './trace-moves.ts'
import { openTraceRemoval } from './trace-removal.ts'
import type { TraceRepair } from './trace-repair.ts'

/*
 * The operations of the port that change, move and remove what is stored.
 */

/** Removed in one call. */
const recordsAtOnce = 1000

export function traceChanges(engine: Engine, { repair }: TraceRepair): TraceTags & Removal {
  const { connection, recording, nextVersion, idempotencyRecords, now, notify, write } = engine
  const removal = openTraceRemoval(connection)
  const moveTrace = openTraceMoves({ connection, recording, repair })
  const changeTags = openTagChanges(connection, nextVersion, recording)
  return {
    changeTags: (projectId, traceIds, changes) =>
      write(async () => {
        const changed = await changeTags(projectId, traceIds, changes, now())
        notify(projectId, changed)
        return changed
      }),
    removeTrace: (projectId, traceId) => write(() => removal.removeTrace(projectId, traceId)),
    removeOldTraces: (projectId, before) => write(() => removal.removeOldTraces(projectId, before)),
    moveTrace: (projectId, fromProjectId, traceId) =>
      write(async () => {
        const outcome = await moveTrace(projectId, fromProjectId, traceId, now())
        if (outcome === 'adopted') notify(projectId, [traceId])
        return outcome
      }),
    removeOldSignals: (projectId, before) =>
      write(() => removal.removeOldSignals(projectId, before)),
    removeOldIdempotencyRecords: (before) =>
      write<'more' | 'removed'>(async () => {
        const time = new Date(Number(before / 1_000_000n)).toISOString()
        const isMore = await idempotencyRecords.removeOld(time, recordsAtOnce)
        return isMore ? 'more' : 'removed'
      }),
    removeProject: (projectId) =>
      write<'more' | 'removed'>(async () => {
        await removal.removeProject(projectId)
        await idempotencyRecords.removeOfProject(projectId)
        return 'removed'
      }),
  }
}
