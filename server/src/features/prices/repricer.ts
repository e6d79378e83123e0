import { setTimeout as sleep } from 'node:timers/promises'
import { parseInstant } from '../../domain/instant.ts'
import { pricerFor } from '../../models/pricer.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import type { Clock } from '../../platform/clock.ts'
import { Unavailable } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { RepricingRow, Timestamp } from '../../storage/accounts/tables.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TimeRange } from '../../storage/telemetry/port/pricing.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { pricePage, type RepricingStats } from './repricing-stats.ts'

/*
 * Prices anew what is stored, in the background and in small steps, so that what arrives meanwhile waits for none
 * of them long. How far it has come is kept in the accounts database after each step: a service that was killed
 * goes on there, and of several servers one is at it.
 */

export interface Repricer {
  /** There may be something to do. */
  wake(): void
  /** Resolves when the step under way is done. Nothing begins afterwards; what is left is taken up at the next start. */
  stop(): Promise<void>
}

export interface RepricerPorts {
  readonly accounts: Pick<AccountStores, 'repricings'>
  readonly telemetry: Pick<TelemetryStore, 'listPriceable' | 'reprice'>
  readonly prices: ProjectPrices
  readonly clock: Clock
  readonly log: Log
}

/** Some milliseconds of the telemetry writer's time. */
const spansPerStep = 500

/** Without a word from the one who is at it for so long, another takes over. */
const leaseMs = 15_000
const lookAgainMs = 5_000

export function openRepricer(ports: RepricerPorts): Repricer {
  const worker = newId()
  let running: Promise<void> | undefined
  let isRequested = false
  let isStopping = false

  const wake = () => {
    if (isStopping) return
    isRequested = true
    running ??= (async () => {
      while (isRequested && !isStopping) {
        isRequested = false
        await runJob(ports, worker, () => isStopping)
      }
      running = undefined
    })()
  }
  const timer = setInterval(wake, lookAgainMs).unref()
  return {
    wake,
    async stop() {
      isStopping = true
      clearInterval(timer)
      await running
    },
  }
}

/** Takes up one after the other until there is none left. Never rejects. */
async function runJob(
  ports: RepricerPorts,
  worker: string,
  isStopping: () => boolean,
): Promise<void> {
  const { accounts, clock, log } = ports
  try {
    while (!isStopping()) {
      const now = clock.now()
      const job = await accounts.repricings.acquireLease(
        worker,
        now.toISOString(),
        later(now, leaseMs),
      )
      if (job === undefined) return
      await workAt(job, ports, isStopping)
    }
  } catch (error) {
    // It is taken up again, because nobody tells any more that somebody is at it.
    log.error('pricing anew was interrupted', error)
  }
}

async function workAt(
  job: RepricingRow,
  ports: RepricerPorts,
  isStopping: () => boolean,
): Promise<void> {
  const { accounts, clock, log } = ports
  const { id, worker } = job
  const figures = JSON.parse(job.figures) as RepricingStats
  let position = job.position ?? undefined
  const advance = (ms: number) =>
    accounts.repricings.advance(id, worker, {
      position: position ?? null,
      figures: JSON.stringify(figures),
      held_until: later(clock.now(), ms),
    })
  try {
    for (;;) {
      const began = performance.now()
      position = await step(job, position, figures, ports)
      const isMine = await advance(isStopping() ? 0 : leaseMs)
      if (!isMine || (position !== undefined && isStopping())) return
      if (position === undefined) break
      // As long as it has taken, so that at least half of the writer's time is left to what arrives.
      await sleep(performance.now() - began)
    }
    const finished_at = clock.now().toISOString()
    await accounts.repricings.end(id, worker, { state: 'completed', problem: null, finished_at })
  } catch (error) {
    if (error instanceof Unavailable) throw error
    log.error('pricing anew has failed', error, { id })
    const finished_at = clock.now().toISOString()
    const problem = 'An unexpected error occurred; the log of the service tells more.'
    await accounts.repricings.end(id, worker, { state: 'failed', problem, finished_at })
  }
}

/** Prices one page; gives back where to go on, undefined at the end. */
async function step(
  { project_id: projectId, ...job }: RepricingRow,
  after: Position | undefined,
  figures: RepricingStats,
  { telemetry, prices }: RepricerPorts,
): Promise<Position | undefined> {
  const page = await telemetry.listPriceable(projectId, {
    range: rangeOf(job.range_from, job.range_to),
    limit: spansPerStep,
    ...(after && { after }),
  })
  const repricings = pricePage(page, pricerFor(await prices.rulesOf(projectId)), figures)
  if (repricings.length > 0) {
    const count = await telemetry.reprice(projectId, repricings)
    // Those that were recorded anew in between have been left alone.
    figures.changed -= repricings.length - count
  }
  return page.next
}

export function rangeOf(from: Timestamp, to: Timestamp): TimeRange {
  return { from: parseInstant(from), to: parseInstant(to) }
}

function later(now: Date, ms: number): Timestamp {
  return new Date(now.getTime() + ms).toISOString()
}
