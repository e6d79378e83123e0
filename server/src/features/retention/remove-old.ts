import type { Instant } from '../../domain/instant.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * Removes traces, metrics and log records that are older than the retention period of their project, in small steps
 * that delay nobody, and then the comments of removed traces. The next run continues an interrupted one.
 */

export interface Retention {
  /** Resolves when everything that is too old now has been removed. */
  sweep(): Promise<void>
  /** Resolves when the running step is done. No other starts. */
  stop(): Promise<void>
}

export interface RetentionPorts {
  readonly accounts: Pick<AccountStores, 'projects' | 'comments'>
  readonly telemetry: Pick<TelemetryStore, 'findTraces' | 'removeOldTraces' | 'removeOldSignals'>
  readonly clock: Clock
  readonly log: Log
  /** For projects without a setting of their own; undefined keeps everything. */
  readonly retentionDays: number | undefined
}

const everyMs = 60 * 60_000
const commentsAtOnce = 200
/** Between two steps. */
const pauseMs = 20
const nanosPerDay = 86_400_000_000_000n

/** Runs every hour, first an hour after it is opened. */
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
      await removeComments(ports, id, isStopping)
    }
  } catch (error) {
    log.error('expired telemetry could not be removed', error)
  }
}

async function removeTraces(
  { telemetry }: RetentionPorts,
  projectId: string,
  before: Instant,
  isStopping: () => boolean,
): Promise<void> {
  while (!isStopping()) {
    const { isDone } = await telemetry.removeOldTraces(projectId, before)
    if (isDone) return
    await pause()
  }
}

/** Of traces that are gone, whoever removed them. */
async function removeComments(
  { accounts, telemetry }: RetentionPorts,
  projectId: string,
  isStopping: () => boolean,
): Promise<void> {
  let after = ''
  while (!isStopping()) {
    const comments = await accounts.comments.listAfter(projectId, after, commentsAtOnce)
    const last = comments.at(-1)
    if (last === undefined) return
    const traceIds = [...new Set(comments.map(({ trace_id }) => trace_id))]
    const traces = await telemetry.findTraces(projectId, traceIds)
    const found = new Set(traces.map(({ traceId }) => traceId))
    const orphans = comments.filter(({ trace_id }) => !found.has(trace_id)).map(({ id }) => id)
    if (orphans.length > 0) await accounts.comments.removeAll(projectId, orphans)
    after = last.id
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
