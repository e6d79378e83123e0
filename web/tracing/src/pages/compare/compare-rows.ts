import type { AlignedSpan } from './align.ts'
import type { Difference } from './differences.ts'
import type { Comparison } from './use-comparison.ts'

/*
 * Which rows of a comparison are drawn, and what they are called.
 */

/** A row by its spans, as it stands in the address. */
export function rowId({ a, b }: AlignedSpan, sides: Pick<Comparison, 'a' | 'b'>): string {
  const one = sides.a.nodes[a]?.span.span_id
  return one === undefined ? `b:${sides.b.nodes[b]?.span.span_id}` : `a:${one}`
}

/** Places of the rows to draw: those of `wanted`, or all, without what is folded away. */
export function visibleRows(
  comparison: Pick<Comparison, 'a' | 'b' | 'aligned'>,
  included: readonly number[] | undefined,
  closed: ReadonlySet<string>,
): readonly number[] {
  const { aligned } = comparison
  const isHidden = new Uint8Array(aligned.length)
  const visible: number[] = []
  const includedSet = included === undefined ? undefined : new Set(included)
  for (const [at, row] of aligned.entries()) {
    const parent = aligned[row.parent]
    const isBelowClosed =
      parent !== undefined &&
      (isHidden[row.parent] === 1 || (closed.size > 0 && closed.has(rowId(parent, comparison))))
    if (isBelowClosed) isHidden[at] = 1
    else if (includedSet?.has(at) ?? true) visible.push(at)
  }
  return visible
}

/** What there is to say of a row, the gravest first. */
export function formatDifference(difference: Difference): readonly string[] {
  if (difference.presence === 'only-a') return ['only in A']
  if (difference.presence === 'only-b') return ['only in B']
  const flags: readonly (readonly [boolean, string])[] = [
    [difference.status, 'status'],
    [difference.output, 'output'],
    [difference.isRenamed, 'name'],
  ]
  return flags.filter(([isSet]) => isSet).map(([, word]) => word)
}
