import { openFairSlots } from './fair-slots.ts'
import { type Resolve, resolveBySystem } from './outbound-fetch.ts'

/*
 * Resolves host names that users provide. Node has two threads for that, and whoever owns a name can make it slow, so
 * owners take turns.
 */

const lookupsAtOnce = { runningMax: 2, runningMaxOfOwner: 1, waitingMax: 1000 } as const
const lookupWaitMs = 10_000

export function openFairLookups(resolve = resolveBySystem): (owner: string) => Resolve {
  const inTurn = openFairSlots({ ...lookupsAtOnce, refusal: 'Too many names are being resolved.' })
  return (owner) => (host) =>
    inTurn({ owner, signal: AbortSignal.timeout(lookupWaitMs) }, () => resolve(host))
}
