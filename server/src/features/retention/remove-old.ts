import type { Instant } from '../../domain/instant.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * Takes away what is older than a project keeps, traces, metrics and log records: a little at a time, so that those who store and read are
 * not held up. What was cut off is done the next time.
 */

export interface Retention {
  /** Looks for what is too old now, and waits until it is gone. */
  sweep(): Promise<void>
  /** Resolves when nothing is under way any more. Nothing begins afterwards. */
  stop(): Promise<void>
}

export interface RetentionPorts {
  readonly accounts: Pick<AccountStores, 'projects' | 'comments'>
  readonly telemetry: Pick<TelemetryStore, 'removeOldTraces' | 'removeOldSignals'>
  readonly clock: Clock
  readonly log: Log
  /** For projects that say nothing themselves; undefined keeps everything. */
  readonly retentionDays: number | undefined
}

const everyMs = 60 * 60_000
const tracesAtOnce = 50
/** Between two removals: half of the time at most goes to them. */
const pauseMs = 20
const nanosPerDay = 86_400_000_000_000n

/** Begins an hour after it is opened, and then does it every hour. */
export function openRetention(ports: RetentionPorts): Retention {
  let running: Promise<void> | undefined
  let isStopping = false
  const sweep = () => {
    running ??= removeOld(ports, () => isStopping).finally(() => {
      running = undefined
    })
    return running
  }
  const timer = setInterval(() => void sweep(), everyMs).unref()
  return {
    sweep,
    async stop() {
      isStopping = true
      clearInterval(timer)
      await running
    },
  }
}

async function removeOld(ports: RetentionPorts, isStopping: () => boolean): Promise<void> {
  const { accounts, clock, log, retentionDays } = ports
  const now = BigInt(clock.now().getTime()) * 1_000_000n
  try {
    for (const { id, retention_days } of await accounts.projects.all()) {
      const days = retention_days ?? retentionDays
      if (days === undefined) continue
      const before = now - BigInt(days) * nanosPerDay
      await removeTraces(ports, id, before, isStopping)
      await removeSignals(ports, id, before, isStopping)
    }
  } catch (error) {
    log.error('what is too old could not be taken away', error)
  }
}

async function removeTraces(
  { accounts, telemetry }: RetentionPorts,
  projectId: string,
  before: Instant,
  isStopping: () => boolean,
): Promise<void> {
  while (!isStopping()) {
    const traceIds = await telemetry.removeOldTraces(projectId, before, tracesAtOnce)
    if (traceIds.length === 0) return
    for (const traceId of traceIds) await accounts.comments.removeOfTrace(projectId, traceId)
    await pause()
  }
}

async function removeSignals(
  { telemetry }: RetentionPorts,
  projectId: string,
  before: Instant,
  isStopping: () => boolean,
): Promise<void> {
  let after: Position | undefined
  while (!isStopping()) {
    after = await telemetry.removeOldSignals(projectId, before, after)
    if (after === undefined) return
    await pause()
  }
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
