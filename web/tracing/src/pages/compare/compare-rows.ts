import type { AlignedSpan } from './align.ts'
import type { Difference } from './differences.ts'
import type { Comparison } from './use-comparison.ts'

/*
 * The visible rows of a comparison and their IDs.
 */

/** The ID of a row in the URL. */
export function rowId({ a, b }: AlignedSpan, sides: Pick<Comparison, 'a' | 'b'>): string {
  const one = sides.a.nodes[a]?.span.span_id
  return one === undefined ? `b:${sides.b.nodes[b]?.span.span_id}` : `a:${one}`
}

/** Positions of the rows in `included` (or all rows) that are not below a closed row. */
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

/** Labels for the differences of a row, most severe first. */
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
