import { ms } from '../page.ts'
import { runLoad } from '../run-load.ts'
import { type Conditions, judge, megabytes, type Outcome } from './fault.ts'
import { watchMemory } from './memory.ts'
import type { Rig } from './rig.ts'

/*
 * Somebody who uses the service as intended while others do not.
 */

interface Experience {
  readonly requests: number
  readonly refused: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const usualPerSecond = 50

/** Sends 50 JSON batches per second on connections that were opened at the beginning. */
export function sendAsUsual(rig: Rig, seconds: number): Promise<Experience> {
  return runLoad({ ...usualLoad(rig), seconds, perSecond: usualPerSecond })
}

function usualLoad(rig: Rig) {
  return {
    origin: rig.service().origin,
    headers: { 'x-tracing-key': rig.owner.tracing_key },
    clients: 4,
    work: { kind: 'json' },
  } as const
}

export const unharmed = 'p99 of others < 50 ms, or twice that before'

export interface Beside<Held> {
  readonly held: Held
  /** Before and while something was held. */
  readonly before: Experience
  readonly during: Experience
  /** How much more memory the service took than before. */
  readonly grewBytes: number
}

/** Sends as many requests as usual in a minute and a half, until the service has the memory that this load alone takes. */
async function warmUp(rig: Rig): Promise<void> {
  await runLoad({ ...usualLoad(rig), seconds: 10, perSecond: 10 * usualPerSecond })
}

/** `hold` begins to hold something; what it returns is called after the seconds, and ends it or waits for its end. */
export async function besideOthers<Held>(
  rig: Rig,
  seconds: number,
  hold: () => Promise<() => Held | Promise<Held>>,
): Promise<Beside<Held>> {
  await warmUp(rig)
  const before = await sendAsUsual(rig, 15)
  const memory = watchMemory(rig.service())
  const release = await hold()
  const during = await sendAsUsual(rig, seconds)
  const held = await release()
  return { held, before, during, grewBytes: memory.stop().grewBytes }
}

/** As `judge`, with what others noticed and how much memory it took. */
export function judgeBeside(
  { before, during, grewBytes }: Beside<unknown>,
  measurements: string,
  memoryMaxBytes: number,
  conditions: Conditions,
  times: Conditions = {},
): Outcome {
  const { requests, p50Ms, p99Ms, refused } = during
  const others = `${requests} requests of somebody else: p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, ${refused} refused (before: p99 ${ms(before.p99Ms)})`
  return judge(
    `${measurements}; ${others}; + ${megabytes(grewBytes)}`,
    {
      ...conditions,
      'others not refused': refused === 0,
      [`+ ${megabytes(memoryMaxBytes)} at most`]: grewBytes <= memoryMaxBytes,
    },
    // On a machine that is busy with other work, it was slow before.
    { ...times, [unharmed]: p99Ms < Math.max(50, 2 * before.p99Ms) },
  )
}
