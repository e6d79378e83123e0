import type { Trace } from '@assay/contract/traces.ts'

export interface TagChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** The trace as the service has it after the change. */
export function changeTags(trace: Trace, { add, remove }: TagChange): Trace {
  const others = trace.tags.filter((tag) => !remove.includes(tag) && !add.includes(tag))
  return { ...trace, tags: [...add, ...others] }
}

/** The tags that any of the traces has, the most frequent first. */
export function listTags(traces: readonly Pick<Trace, 'tags'>[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const tag of traces.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([tag]) => tag)
}
