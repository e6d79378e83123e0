import type { Span } from '../domain/span.ts'
import { pricerFor } from './pricer.ts'

/** The same with a price put on every span before: for whatever turns spans into rows. `rules` as for `pricerFor`. */
export function withPrices<Encoded>(
  encode: (spans: readonly Span[]) => Encoded,
  rules: string,
): (spans: readonly Span[]) => Encoded {
  return (spans) => encode(spans.map(pricerFor(rules).priced))
}
