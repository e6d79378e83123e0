import { searchFor } from './model-names.ts'
import { findListed, type ListedModel } from './price-list.ts'

/*
 * Resolves a sender's model name to an entry of the price list.
 */

export type Resolution =
  | { readonly listed: ListedModel }
  | { readonly reason: 'local_model' | 'unknown_provider' | 'unknown_model' }

/** Spans use few distinct models, and a lookup takes tens of microseconds. */
const rememberedMax = 10_000
const remembered = new Map<string, Resolution>()

/** `provider` is the sender's name for the provider, if any. */
export function resolveModel(provider: string | null, model: string): Resolution {
  const key = `${provider ?? ''}\n${model}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const resolution = resolve(provider, model)
  // Names are untrusted: a stream of new ones must not fill the memory.
  if (remembered.size >= rememberedMax) remembered.clear()
  remembered.set(key, resolution)
  return resolution
}

function resolve(provider: string | null, model: string): Resolution {
  const search = searchFor(provider, model)
  if ('none' in search) return { reason: search.none }
  for (const { provider: where, name } of search.lookups) {
    const listed = findListed(where, name)
    if (listed !== undefined) return { listed }
  }
  return { reason: 'unknown_model' }
}
