import type { ListedSpan } from '@assay/contract/traces.ts'
import { hashKey } from '@tanstack/react-query'
import type { AlignedSpan } from './align.ts'

/*
 * Short digests of outputs, so that all outputs of a trace can be compared without keeping them in memory.
 */

/** Length and hash of the output as JSON with sorted keys. The Web Crypto API is not available over plain HTTP. */
export function toDigest(output: unknown): string {
  const text = hashKey([output])
  let low = 0x811c9dc5
  let high = 0x1b873593
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return `${text.length}.${(low >>> 0).toString(36)}.${(high >>> 0).toString(36)}`
}

/** Digests by span ID. */
export type Digests = ReadonlyMap<string, string>

export function toDigests(spans: readonly ListedSpan[]): readonly (readonly [string, string])[] {
  return spans.map(({ span_id, output }) => [span_id, toDigest(output)])
}

/** Outputs that were not loaded do not count as different. */
export function isOutputDifferent(
  { a, b }: Pick<AlignedSpan, 'a' | 'b'>,
  ofA: Digests,
  ofB: Digests,
): boolean {
  const one = a && ofA.get(a.span_id)
  const other = b && ofB.get(b.span_id)
  return one !== undefined && other !== undefined && one !== other
}
