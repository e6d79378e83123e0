import type { SpanTree } from '../../spans/span-tree.ts'

/*
 * Finds spans in the display order of the expanded tree.
 */

/** Positions of the spans whose name contains the text, case-insensitive, top to bottom; none for empty text. */
export function spansNamed({ nodes, order }: SpanTree, searchText: string): readonly number[] {
  if (searchText === '') return []
  const needle = searchText.toLowerCase()
  return order.filter((at) => nodes[at]?.span.name.toLowerCase().includes(needle))
}

/** Positions of the failed spans, top to bottom. */
export function spansInError({ nodes, order }: SpanTree): readonly number[] {
  return order.filter((at) => nodes[at]?.span.status === 'ERROR')
}

/** The next (or previous) of `found`, wrapping around. `places` maps positions to display order. */
export function findNext(
  found: readonly number[],
  places: Int32Array,
  from: number | undefined,
  step: 1 | -1,
): number | undefined {
  if (from === undefined) return step === 1 ? found[0] : found.at(-1)
  const here = places[from] ?? -1
  if (step === 1) return found.find((at) => (places[at] ?? 0) > here) ?? found[0]
  return found.findLast((at) => (places[at] ?? 0) < here) ?? found.at(-1)
}

/** Maps each position to its place in display order. */
export function toDisplayOrder({ nodes, order }: SpanTree): Int32Array {
  const places = new Int32Array(nodes.length)
  for (const [place, at] of order.entries()) places[at] = place
  return places
}
