import type { Clock } from '../../platform/clock.ts'
import type { ChangedTraces } from './port/change-feed.ts'

/*
 * The traces that this process has changed in the last moments, for somebody who has just begun to watch them elsewhere.
 */

export interface RecentChanges {
  add(projectId: string, traceIds: ChangedTraces): void
  /** Those of the last `keptMs` at least. */
  of(projectId: string): ChangedTraces
}

/** Beyond it, the changes of any project count as unknown. */
const projectsMax = 2_000

interface Generation {
  readonly byProject: Map<string, ChangedTraces>
  isFull: boolean
}

export function openRecentChanges(
  clock: Pick<Clock, 'monotonicMs'>,
  { keptMs, idBytesMax }: { readonly keptMs: number; readonly idBytesMax: number },
): RecentChanges {
  const empty = (): Generation => ({ byProject: new Map(), isFull: false })
  let [before, current] = [empty(), empty()]
  let beganMs = clock.monotonicMs()
  const age = () => {
    const ageMs = clock.monotonicMs() - beganMs
    if (ageMs < keptMs) return
    before = ageMs < 2 * keptMs ? current : empty()
    current = empty()
    beganMs = clock.monotonicMs()
  }
  return {
    add(projectId, traceIds) {
      age()
      const { byProject } = current
      const changed = byProject.get(projectId)
      if (changed === undefined && byProject.size >= projectsMax) current.isFull = true
      else byProject.set(projectId, withChanged(changed ?? [], traceIds, idBytesMax))
    },
    of(projectId) {
      age()
      if (before.isFull || current.isFull) return null
      const [earlier = [], later = []] = [before, current].map(({ byProject }) =>
        byProject.get(projectId),
      )
      return withChanged(earlier, later, idBytesMax)
    },
  }
}

/** More at once cannot be few bytes, and need not be compared. */
const idsMax = 1_000

/** Both together, each id once: unknown if one is, or if they are too many. */
export function withChanged(
  changed: ChangedTraces,
  added: ChangedTraces,
  idBytesMax: number,
): ChangedTraces {
  if (changed === null || added === null || added.length > idsMax) return null
  const ids = [...new Set([...changed, ...added])]
  return Buffer.byteLength(JSON.stringify(ids)) > idBytesMax ? null : ids
}
