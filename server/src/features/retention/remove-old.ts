import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { TelemetryStore } from '../../storage/telemetry/store.ts'

/*
 * Takes away what is older than a project keeps: a few traces at a time, so that those who store and read are
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
  readonly telemetry: Pick<TelemetryStore, 'removeOldTraces'>
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

async function removeOld(
  { accounts, telemetry, clock, log, retentionDays }: RetentionPorts,
  isStopping: () => boolean,
): Promise<void> {
  const now = BigInt(clock.now().getTime()) * 1_000_000n
  try {
    for (const { id, retention_days } of await accounts.projects.all()) {
      const days = retention_days ?? retentionDays
      if (days === undefined) continue
      const before = now - BigInt(days) * nanosPerDay
      while (!isStopping()) {
        const traceIds = await telemetry.removeOldTraces(id, before, tracesAtOnce)
        if (traceIds.length === 0) break
        for (const traceId of traceIds) await accounts.comments.removeOfTrace(id, traceId)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  } catch (error) {
    log.error('what is too old could not be taken away', error)
  }
}
