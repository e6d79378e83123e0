import { setNewest } from '../platform/recent-entries.ts'
import type { GatewayModel } from './gateway-model.ts'

/*
 * The models that refused the parameters of other models and answered without them: their next calls are sent without
 * them at once. Reasoning models do, and the name of a deployment does not show which those are.
 */

export interface PlainModels {
  has(model: GatewayModel): boolean
  set(model: GatewayModel, isPlain: boolean): void
}

const rememberedMax = 1000

export function openPlainModels(): PlainModels {
  const remembered = new Map<string, true>()
  return {
    has: (model) => remembered.has(toKey(model)),
    set(model, isPlain) {
      const key = toKey(model)
      if (isPlain) setNewest(remembered, key, true, rememberedMax)
      else remembered.delete(key)
    },
  }
}

function toKey({ organizationId, provider, model, baseUrl }: GatewayModel): string {
  return JSON.stringify([organizationId, provider, model, baseUrl])
}
