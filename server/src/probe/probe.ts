import { setTimeout as sleep } from 'node:timers/promises'
import type { ProbeOptions } from './probe-options.ts'
import {
  type Look,
  openService,
  type ProbeCredentials,
  type ProbedService,
  type Written,
} from './probe-service.ts'
import {
  newProbeStats,
  type ProbeStats,
  type Route,
  routes,
  summaryLines,
  ways,
} from './probe-stats.ts'

/*
 * Writes traces to a running service and reads them back: how soon is an acknowledged trace readable by id,
 * in the list and by search, and is any lost?
 */

/** Resolves with the exit code: 1 if anything was lost. Rejects if it cannot start. */
export async function probe(
  options: ProbeOptions,
  credentials: ProbeCredentials,
  { print, stop }: { print(line: string): void; readonly stop: AbortSignal },
): Promise<0 | 1> {
  const service = await openService(options, credentials)
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

/** Maximum traces in flight while the service does not respond. */
const maxRounds = 100

/** One trace through each ingest endpoint. */
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
          else if (!stop.aborted) stats.lost(toLoss(written, way))
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

/** A search whose index is behind for this many timeouts counts as lost. */
const behindTimes = 20

/** Undefined if it is not found in time, for whatever reason. */
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

/** Found traces that are checked again later: a restart must not lose acknowledged data. */
interface RecheckQueue {
  add(written: Written): void
  /** Returns all of them and starts over. */
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

/** A service that does not respond has not lost anything yet: unchecked traces stay for later. */
async function recheck(
  service: ProbedService,
  stats: ProbeStats,
  rechecks: RecheckQueue,
): Promise<void> {
  for (const written of rechecks.take()) {
    const found = await service.look(written, 'by id').catch(() => undefined)
    if (found === undefined) rechecks.add(written)
    else if (found === 'absent') stats.lost(toLoss(written, 'by id'))
  }
}

function toLoss({ traceId, route, writtenAt }: Written, way: (typeof ways)[number]) {
  return { trace_id: traceId, route, way, written_at: writtenAt }
}
