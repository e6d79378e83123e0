import { limits } from '@assay/contract/limits.ts'
import type { Span } from '../domain/span.ts'
import { type Pricer, pricerFor, unpriced, withPrice } from './pricer.ts'

/** Wraps an encoder so that the spans of one request are priced first. `rules` as for `pricerFor`. */
export function withPrices<Encoded>(
  encode: (spans: readonly Span[]) => Encoded,
  rules: string,
): (spans: readonly Span[]) => Encoded {
  return (spans) => encode(pricedAll(spans, pricerFor(rules)))
}

/** Senders choose the names: those of one request must not keep a thread busy. */
function pricedAll(spans: readonly Span[], pricer: Pricer): Span[] {
  let newModels = 0
  return spans.map((span) => {
    if (!pricer.resolvesModel(span)) return pricer.priced(span)
    newModels += 1
    return newModels > limits.newModelsPerRequest.value
      ? withPrice(span, unpriced('too_many_models'))
      : pricer.priced(span)
  })
}

/** How many model names `withPrices` would resolve. */
export function countNewModels(spans: readonly Span[], rules: string): number {
  const { resolvesModel } = pricerFor(rules)
  return new Set(
    spans.filter(resolvesModel).map(({ provider, model }) => `${provider ?? ''}\n${model}`),
  ).size
}
