import { setTimeout as sleep } from 'node:timers/promises'
import type { ProbeOptions } from './probe-options.ts'
import { type Look, openService, type ProbedService, type Written } from './probe-service.ts'
import {
  newProbeStats,
  type ProbeStats,
  type Route,
  routes,
  summaryLines,
  ways,
} from './probe-stats.ts'

/*
 * Writes traces to a running service and reads them back, as long as it is let: after how long can what was
 * acknowledged be seen by id, in the list and by search, and is any of it lost?
 */

/** Resolves with the exit code: 1 where anything was lost. Rejects where it cannot begin. */
export async function probe(
  options: ProbeOptions,
  secret: string,
  { say, stop }: { say(line: string): void; readonly stop: AbortSignal },
): Promise<0 | 1> {
  const service = await openService(options, secret)
  const stats = newProbeStats()
  const kept = newKept()
  const tell = () => {
    const summary = stats.summary()
    if (options.isJson) say(JSON.stringify({ at: new Date().toISOString(), ...summary }))
    else for (const line of summaryLines(summary)) say(line)
  }
  const rounds = new Set<Promise<void>>()
  let nextTellAt = performance.now() + minuteMs
  for (let round = 0; round !== options.count && !stop.aborted; round += 1) {
    if (rounds.size < maxRounds) {
      const under = writeAndSee(service, stats, kept, options, stop).finally(() =>
        rounds.delete(under),
      )
      rounds.add(under)
    }
    if (performance.now() >= nextTellAt) {
      nextTellAt += minuteMs
      await seeAgain(service, stats, kept)
      tell()
    }
    if (round + 1 !== options.count) await pause(options.everyMs, stop)
  }
  await Promise.all(rounds)
  await seeAgain(service, stats, kept)
  tell()
  return stats.lossCount === 0 ? 0 : 1
}

const minuteMs = 60_000

/** Where the service does not answer, so many wait for it and no more. */
const maxRounds = 100

/** One trace by each route. */
async function writeAndSee(
  service: ProbedService,
  stats: ProbeStats,
  kept: Kept,
  { withinMs }: ProbeOptions,
  stop: AbortSignal,
): Promise<void> {
  await Promise.all(
    routes.map(async (route) => {
      const written = await acknowledged(service, stats, route)
      if (written === undefined) return
      const found = await Promise.all(
        ways.map(async (way) => {
          const ms = await foundAfter(() => service.look(written, way), withinMs, stop)
          if (ms !== undefined) stats.seen(route, way, ms)
          // Who stops does not wait for what is still to be seen.
          else if (!stop.aborted) stats.lost(lossOf(written, way))
          return ms !== undefined
        }),
      )
      if (found.every(Boolean)) kept.add(written)
    }),
  )
}

async function acknowledged(
  service: ProbedService,
  stats: ProbeStats,
  route: Route,
): Promise<Written | undefined> {
  try {
    const written = await service.write(route)
    stats.written()
    return written
  } catch {
    stats.refused()
    return undefined
  }
}

const firstPauseMs = 5
const longestPauseMs = 250

/** A search that stays behind for so many times the time allowed is as good as none. */
const behindTimes = 20

/** Undefined where it is not found in time, for whatever reason. */
async function foundAfter(
  look: () => Promise<Look>,
  withinMs: number,
  stop: AbortSignal,
): Promise<number | undefined> {
  const beganAt = performance.now()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
    const found = await look().catch(() => 'absent')
    const ms = performance.now() - beganAt
    if (found === 'seen') return ms
    if (ms > (found === 'behind' ? behindTimes : 1) * withinMs || stop.aborted) return undefined
    await pause(pauseMs, stop)
  }
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stop }).catch(() => undefined)
}

/** Traces that were seen, to be looked at once more: a restart must not take back what was acknowledged. */
interface Kept {
  add(written: Written): void
  /** All of them, and begins anew. */
  take(): readonly Written[]
}

const keptMax = 1_000

function newKept(): Kept {
  let kept: Written[] = []
  return {
    add: (written) => void (kept.length < keptMax && kept.push(written)),
    take() {
      const taken = kept
      kept = []
      return taken
    },
  }
}

/** A service that does not answer now has not lost anything yet: what cannot be looked at is kept for later. */
async function seeAgain(service: ProbedService, stats: ProbeStats, kept: Kept): Promise<void> {
  for (const written of kept.take()) {
    const found = await service.look(written, 'by id').catch(() => undefined)
    if (found === undefined) kept.add(written)
    else if (found === 'absent') stats.lost(lossOf(written, 'by id'))
  }
}

function lossOf({ traceId, route, writtenAt }: Written, way: (typeof ways)[number]) {
  return { trace_id: traceId, route, way, written_at: writtenAt }
}
