import type { SpanTree } from '../../spans/span-tree.ts'

/*
 * Finding spans in the order in which the unfolded tree shows them.
 */

/** Positions of the spans whose name holds `wanted`, any case, from top to bottom; none for an empty text. */
export function spansNamed({ nodes, order }: SpanTree, searchText: string): readonly number[] {
  if (searchText === '') return []
  const needle = searchText.toLowerCase()
  return order.filter((at) => nodes[at]?.span.name.toLowerCase().includes(needle))
}

/** Positions of the spans in error, from top to bottom. */
export function spansInError({ nodes, order }: SpanTree): readonly number[] {
  return order.filter((at) => nodes[at]?.span.status === 'ERROR')
}

/**
 * The next of `found` after (or before) where one is, round the ends. `places` tells the place of each
 * position from top to bottom.
 */
export function nextOf(
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

/** The place from top to bottom of each position. */
export function placesOf({ nodes, order }: SpanTree): Int32Array {
  const places = new Int32Array(nodes.length)
  for (const [place, at] of order.entries()) places[at] = place
  return places
}
