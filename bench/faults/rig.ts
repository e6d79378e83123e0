import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  newDataDir,
  type RunningService,
  type RunOptions,
  runService,
  type SetUpService,
  setUpService,
} from '../../e2e/running-service.ts'
import { freePort } from '../../server/test/free-port.ts'
import { acknowledgedAfterMs, type Ledger, newLedger } from './ledger.ts'
import { startWriters, type WriterPlan, type Writers } from './writers.ts'

/*
 * A service with writers, which can be killed and started again at the same address and on the same data.
 */

export interface Rig {
  /** The one that runs, or ran last. */
  service(): RunningService
  readonly owner: SetUpService
  readonly ledger: Ledger
  /** Whether its process has not ended. */
  isRunning(): boolean
  /** Starts it again. */
  start(): Promise<RunningService>
  startWriters(plan?: Partial<WriterPlan>): Writers
  /** Kills what still runs. */
  end(): Promise<void>
}

async function openRig(options: RunOptions = {}): Promise<Rig> {
  const fixed = { dataDir: newDataDir(), port: await freePort(), ...options }
  let service = await runService(fixed)
  const owner = await setUpService(service)
  const ledger = newLedger()
  return {
    service: () => service,
    owner,
    ledger,
    isRunning() {
      const { exitCode, signalCode } = service.process
      return exitCode === null && signalCode === null
    },
    async start() {
      service = await runService(fixed)
      return service
    },
    startWriters: (plan = {}) =>
      startWriters({ api: service.api, tracingKey: owner.tracing_key, ledger, ...plan }),
    end: () => service.kill(),
  }
}

/** The rig ends in any case. */
export async function withRig<Result>(
  options: RunOptions,
  work: (rig: Rig) => Promise<Result>,
): Promise<Result> {
  const rig = await openRig(options)
  try {
    return await work(rig)
  } finally {
    await rig.end()
  }
}

/** Waits until the condition holds; false when it did not in time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const endsAt = performance.now() + timeoutMs
  for (;;) {
    if (await condition()) return true
    if (performance.now() > endsAt) return false
    await sleep(20)
  }
}

/** Until the first acknowledgement after a time, in milliseconds; infinite when there is none in time. */
export async function healedAfterMs(rig: Rig, since: number, timeoutMs = 30_000): Promise<number> {
  const find = () => acknowledgedAfterMs(rig.ledger, since)
  await until(() => find() !== undefined, timeoutMs)
  return find() ?? Number.POSITIVE_INFINITY
}

/** The status of `/readyz`; 0 without a response within 5 seconds. */
export async function readiness({ origin }: RunningService): Promise<number> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5000) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/** Its memory without pages of files, such as the program, which the kernel can drop at any time. */
export function anonymousBytes(service: RunningService): number {
  return memoryField(service, 'RssAnon')
}

function memoryField({ process: { pid } }: RunningService, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024
}
