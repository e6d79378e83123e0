import { limits } from '@assay/contract/limits.ts'
import type { TagChanges, TraceLabels } from './span.ts'

/**
 * The labels of a trace after another batch: name and tags are those of the new batch, even when absent;
 * other absent labels keep their value. What people have changed stays.
 */
export function mergeLabels(earlier: TraceLabels | null, newest: TraceLabels): TraceLabels {
  return {
    rootName: newest.rootName,
    tags: newest.tags,
    environment: newest.environment ?? earlier?.environment ?? null,
    mode: newest.mode ?? earlier?.mode ?? null,
    sessionId: newest.sessionId ?? earlier?.sessionId ?? null,
    userId: newest.userId ?? earlier?.userId ?? null,
    ...(earlier?.tagChanges === undefined ? {} : { tagChanges: earlier.tagChanges }),
  }
}

const noLabels: TraceLabels = {
  ...{ rootName: null, tags: [], environment: null, mode: null, sessionId: null, userId: null },
}

/** The labels of a trace after a person has changed its tags. A tag that is both added and removed is added. */
export function changeTags(earlier: TraceLabels | null, change: TagChanges): TraceLabels {
  const { added, removed } = earlier?.tagChanges ?? { added: [], removed: [] }
  const [adds, removes] = [new Set(change.added), new Set(change.removed)]
  const tagChanges: TagChanges = {
    added: newest([...added.filter((tag) => !removes.has(tag) && !adds.has(tag)), ...adds]),
    removed: newest([
      ...removed.filter((tag) => !adds.has(tag) && !removes.has(tag)),
      ...[...removes].filter((tag) => !adds.has(tag)),
    ]),
  }
  return { ...(earlier ?? noLabels), tagChanges }
}

/** The tags of a trace: those that were sent, as people have changed them. */
export function applyTagChanges(
  sent: readonly string[],
  changes: TagChanges | undefined,
): readonly string[] {
  if (changes === undefined) return sent
  const removed = new Set(changes.removed)
  const remaining = sent.filter((tag) => !removed.has(tag))
  return [...new Set([...changes.added, ...remaining])].slice(0, limits.tagsPerTrace.value)
}

function newest(tags: readonly string[]): readonly string[] {
  return tags.slice(-limits.tagsPerTrace.value)
}
