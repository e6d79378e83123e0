import { ms } from '../page.ts'
import { runLoad } from '../run-load.ts'
import type { Rig } from './rig.ts'

/*
 * Somebody who uses the service as intended while others do not.
 */

export interface Experience {
  readonly requests: number
  readonly refused: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Sends 50 JSON batches per second on connections that were opened at the beginning. */
export function sendAsUsual(rig: Rig, seconds: number): Promise<Experience> {
  return runLoad({
    origin: rig.service().origin,
    headers: { 'x-tracing-key': rig.owner.tracing_key },
    clients: 4,
    seconds,
    perSecond: 50,
    work: { kind: 'json' },
  })
}

export const describe = ({ requests, refused, p50Ms, p99Ms }: Experience) =>
  `${requests} requests of somebody else: p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, ${refused} refused`

export const unharmed = 'p99 of others < 50 ms, or twice that before'

/** On a machine that is busy with other work, it was slow before. */
export const isUnharmed = (during: Experience, before: Experience) =>
  during.p99Ms < Math.max(50, 2 * before.p99Ms)
