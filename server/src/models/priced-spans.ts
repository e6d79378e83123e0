import type { Span } from '../domain/span.ts'
import { pricerFor } from './pricer.ts'

/** Wraps an encoder so that each span is priced first. `rules` as for `pricerFor`. */
export function withPrices<Encoded>(
  encode: (spans: readonly Span[]) => Encoded,
  rules: string,
): (spans: readonly Span[]) => Encoded {
  return (spans) => encode(spans.map(pricerFor(rules).priced))
}
