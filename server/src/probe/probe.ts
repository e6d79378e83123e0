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
  { print, stop }: { print(line: string): void; readonly stop: AbortSignal },
): Promise<0 | 1> {
  const service = await openService(options, secret)
  const stats = newProbeStats()
  const rechecks = newRecheckQueue()
  const printSummary = () => {
    const summary = stats.summary()
    if (options.isJson) print(JSON.stringify({ at: new Date().toISOString(), ...summary }))
    else for (const line of summaryLines(summary)) print(line)
  }
  const rounds = new Set<Promise<void>>()
  let nextSummaryAt = performance.now() + minuteMs
  for (let round = 0; round !== options.count && !stop.aborted; round += 1) {
    if (rounds.size < maxRounds) {
      const under = writeAndRead(service, stats, rechecks, options, stop).finally(() =>
        rounds.delete(under),
      )
      rounds.add(under)
    }
    if (performance.now() >= nextSummaryAt) {
      nextSummaryAt += minuteMs
      await recheck(service, stats, rechecks)
      printSummary()
    }
    if (round + 1 !== options.count) await pause(options.everyMs, stop)
  }
  await Promise.all(rounds)
  await recheck(service, stats, rechecks)
  printSummary()
  return stats.lossCount === 0 ? 0 : 1
}

const minuteMs = 60_000

/** Where the service does not answer, so many wait for it and no more. */
const maxRounds = 100

/** One trace by each route. */
async function writeAndRead(
  service: ProbedService,
  stats: ProbeStats,
  rechecks: RecheckQueue,
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
          if (ms !== undefined) stats.observed(route, way, ms)
          // Who stops does not wait for what is still to be seen.
          else if (!stop.aborted) stats.lost(lossOf(written, way))
          return ms !== undefined
        }),
      )
      if (found.every(Boolean)) rechecks.add(written)
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
  const startedAt = performance.now()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
    const found = await look().catch(() => 'absent')
    const ms = performance.now() - startedAt
    if (found === 'seen') return ms
    if (ms > (found === 'behind' ? behindTimes : 1) * withinMs || stop.aborted) return undefined
    await pause(pauseMs, stop)
  }
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stop }).catch(() => undefined)
}

/** Traces that were seen, to be looked at once more: a restart must not take back what was acknowledged. */
interface RecheckQueue {
  add(written: Written): void
  /** All of them, and begins anew. */
  take(): readonly Written[]
}

const maxRechecks = 1_000

function newRecheckQueue(): RecheckQueue {
  let rechecks: Written[] = []
  return {
    add: (written) => void (rechecks.length < maxRechecks && rechecks.push(written)),
    take() {
      const taken = rechecks
      rechecks = []
      return taken
    },
  }
}

/** A service that does not answer now has not lost anything yet: what cannot be looked at is kept for later. */
async function recheck(
  service: ProbedService,
  stats: ProbeStats,
  rechecks: RecheckQueue,
): Promise<void> {
  for (const written of rechecks.take()) {
    const found = await service.look(written, 'by id').catch(() => undefined)
    if (found === undefined) rechecks.add(written)
    else if (found === 'absent') stats.lost(lossOf(written, 'by id'))
  }
}

function lossOf({ traceId, route, writtenAt }: Written, way: (typeof ways)[number]) {
  return { trace_id: traceId, route, way, written_at: writtenAt }
}
