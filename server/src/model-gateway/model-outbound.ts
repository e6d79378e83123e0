import { limits } from '@assay/contract/limits.ts'
import { openFairLookups } from '../platform/fair-lookups.ts'
import { hasManyValues, scanJson } from '../platform/json-scan.ts'
import type { Allowed } from '../platform/network-rules.ts'
import {
  type Outbound,
  OutboundFailed,
  openOutbound,
  type Resolve,
} from '../platform/outbound-fetch.ts'

/** To the models of an organization. */
export type ModelOutbound = (organizationId: string) => Outbound

/** A request is canceled by the limit of its call, which is shorter. */
const longestCallMs = 1000 * (limits.synthesisSeconds.value + 15)

/**
 * Calls have shorter limits of their own (gateway.ts). Any organization can configure a model of its own, and
 * responses are parsed and validated on the event loop: those that take long are refused before.
 */
export function openModelOutbound(allowed: Allowed, resolve?: Resolve): ModelOutbound {
  const lookups = openFairLookups(resolve)
  return (owner) => {
    const outbound = openOutbound({
      ...{ allowed, resolve: lookups(owner), plainHttp: 'allowed', timeoutMs: longestCallMs },
      maxBytes: limits.modelResponseBytes.value,
    })
    return {
      judge: outbound.judge,
      async fetch(url, init) {
        const response = await outbound.fetch(url, init)
        if (isModest(await response.clone().bytes())) return response
        const message = 'The response has too many values, or is nested too deeply.'
        throw new OutboundFailed(new URL(url).host, message)
      },
    }
  }
}

/** Whether the JSON of a provider takes no more than some milliseconds and no deep stack to parse, validate and record. */
export function isModest(json: Uint8Array): boolean {
  const bounds = { maxDepth: limits.jsonDepth.value, maxContainers: Number.POSITIVE_INFINITY }
  return scanJson(json, bounds) === 'ok' && !hasManyValues(json, limits.modelResponseValues.value)
}
