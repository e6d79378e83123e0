import type { MoveOutcome, Removal } from '../port/removal.ts'
import type { TraceTags } from '../port/trace-tags.ts'
import type { Engine } from './engine.ts'
import { openTagChanges } from './tag-changes.ts'
import { type MovePorts, moveFirstTraces } from './trace-moves.ts'
import { openTraceRemoval } from './trace-removal.ts'
import type { TraceRepair } from './trace-repair.ts'

/*
 * The operations of the port that change, move and remove what is stored.
 */

/** Removed in one call. */
const recordsAtOnce = 1000

export interface MoveBetweenShards {
  readonly movePorts: MovePorts
  /** `moveTraces`, from a project in another database. */
  moveTracesFrom(
    source: MovePorts,
    projectId: string,
    fromProjectId: string,
    traceIds: readonly string[],
  ): ReturnType<Removal['moveTraces']>
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
  const moveTracesFrom: MoveBetweenShards['moveTracesFrom'] = async (
    source,
    projectId,
    fromProjectId,
    traceIds,
  ) => {
    const to = { ...movePorts, projectId }
    const from = { ...source, projectId: fromProjectId }
    const outcomes: MoveOutcome[] = []
    while (outcomes.length < traceIds.length) {
      const remaining = traceIds.slice(outcomes.length)
      // Other changes take their turns in between.
      const some = await change(projectId, async () => {
        const first = await moveFirstTraces(to, from, remaining, now())
        notify(
          projectId,
          remaining.filter((_, index) => first[index] === 'adopted'),
        )
        return first
      })
      outcomes.push(...some)
    }
    return outcomes
  }
  return {
    ...{ movePorts, moveTracesFrom },
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
    moveTraces: (projectId, fromProjectId, traceIds) =>
      moveTracesFrom(movePorts, projectId, fromProjectId, traceIds),
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
