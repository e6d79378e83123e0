import type { ListedSpan } from '@assay/contract/traces.ts'
import type { SpanTree } from '../../spans/span-tree.ts'
import type { AlignedSpan } from './align.ts'
import type { OutputsDiffer } from './differences.ts'

/*
 * Short digests of outputs, so that all outputs of a trace can be compared without keeping them in memory.
 */

/** Digests by span ID. */
export type Digests = ReadonlyMap<string, string>

/** Length and hash of the canonical JSON (sorted keys). */
export function digestOf(output: unknown): string {
  const text = canonical(output)
  let low = 0x811c9dc5
  let high = 0x1b873593
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return `${text.length}.${(low >>> 0).toString(36)}.${(high >>> 0).toString(36)}`
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_name, one: unknown) => {
      if (typeof one !== 'object' || one === null || Array.isArray(one)) return one
      return Object.fromEntries(
        Object.entries(one).toSorted(([first], [second]) => (first < second ? -1 : 1)),
      )
    }) ?? ''
  )
}

export function digestsOf(spans: readonly ListedSpan[]): Digests {
  return new Map(spans.map(({ span_id, output }) => [span_id, digestOf(output ?? null)]))
}

/** Pairs with an output that was not loaded do not count as different. */
export function outputsDiffer(a: SpanTree, b: SpanTree, ofA: Digests, ofB: Digests): OutputsDiffer {
  return (row: AlignedSpan) => {
    const one = ofA.get(a.nodes[row.a]?.span.span_id ?? '')
    const other = ofB.get(b.nodes[row.b]?.span.span_id ?? '')
    return one !== undefined && other !== undefined && one !== other
  }
}
