import type { Span } from '../domain/span.ts'
import { pricerFor } from './pricer.ts'

/** The same with a price put on every span before: for whatever turns spans into rows. `rules` as for `pricerFor`. */
export function withPrices<Packed>(
  encode: (spans: readonly Span[]) => Packed,
  rules: string,
): (spans: readonly Span[]) => Packed {
  return (spans) => encode(spans.map(pricerFor(rules).priced))
}
