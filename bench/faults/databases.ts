import { setTimeout as sleep } from 'node:timers/promises'
import { hasScaledStores, startScaledStores } from '../../e2e/scaled-stores.ts'
import { type PostgresServer, startPostgres } from '../../server/test/postgres-server.ts'
import { ms } from '../page.ts'
import { type Fault, largest, megabytes, notRun, quantile, seconds } from './fault.ts'
import { anonymousBytes, healedAfterMs, type Rig, readiness, until } from './rig.ts'
import { judgeThrough, type Through, throughFault } from './through-fault.ts'

/*
 * A database server fails while the service runs, and comes back.
 */

const secret = { ASSAY_SECRET: 'a secret of the fault table, long' }

interface Outage {
  readonly lastsMs: number
  begin(): void | Promise<void>
  /** Resolves when the server can be used again. */
  end(): void | Promise<void>
}

interface Observed {
  /** Whether `/readyz` was 503 while it lasted. */
  readonly isNotReady: boolean
  readonly healthMs: readonly number[]
  /** How long requests took that failed. */
  readonly failedMs: readonly number[]
  /** Until spans were accepted again. */
  readonly healedMs: number
  readonly bytesBefore: number
  readonly bytesAfterwards: number
}

async function observe(rig: Rig, outage: Outage): Promise<Observed> {
  await sleep(3000)
  rig.ledger.failedAfterMs.length = 0
  const bytesBefore = anonymousBytes(rig.service())
  await outage.begin()
  const noticed = until(async () => (await readiness(rig.service())) === 503, outage.lastsMs)
  const healthMs: number[] = []
  const endsAt = performance.now() + outage.lastsMs
  while (performance.now() < endsAt) {
    const sentAt = performance.now()
    await (await fetch(`${rig.service().origin}/healthz`)).arrayBuffer()
    healthMs.push(performance.now() - sentAt)
    await sleep(200)
  }
  const isNotReady = await noticed
  await outage.end()
  const healedMs = await healedAfterMs(rig, performance.now())
  const failedMs = [...rig.ledger.failedAfterMs]
  await sleep(1000)
  const bytesAfterwards = anonymousBytes(rig.service())
  return { isNotReady, healthMs, failedMs, healedMs, bytesBefore, bytesAfterwards }
}

/** Of the PostgreSQL server that has the accounts. */
async function throughOutage(
  toOutage: (postgres: PostgresServer) => Outage,
): Promise<Through<Observed>> {
  const postgres = await startPostgres()
  try {
    const env = { ASSAY_DATABASE_URL: postgres.url, ...secret }
    return await throughFault({ env }, {}, (rig) => observe(rig, toOutage(postgres)))
  } finally {
    await postgres.stop()
  }
}

const memoryMaxBytes = 100 * 1024 * 1024
const grew = ({ bytesBefore, bytesAfterwards }: Observed) => bytesAfterwards - bytesBefore

const describeFailures = ({ failedMs }: Observed) =>
  `${failedMs.length} refusals after p50 ${ms(quantile(failedMs, 0.5))}, p99 ${seconds(quantile(failedMs, 0.99))}`

const describeMemory = ({ bytesBefore, bytesAfterwards }: Observed) =>
  `memory ${megabytes(bytesBefore)} before, ${megabytes(bytesAfterwards)} afterwards`

const postgresDown: Fault = {
  number: 6,
  fault: 'PostgreSQL is killed under load, and started again after a minute',
  promise: '503 with Retry-After, no crash, recovery without a restart',
  target: 'spans accepted 2 s after it is up; 0 lost, 0 crashes, no growth of memory',
  async measure({ isQuick }) {
    const through = await throughOutage((postgres) => ({
      lastsMs: isQuick ? 5000 : 60_000,
      begin: postgres.crash,
      end: postgres.restart,
    }))
    const { happened, ledger } = through
    return judgeThrough(
      through,
      describeFailures(happened),
      [`spans accepted ${ms(happened.healedMs)} after it was up`, describeMemory(happened)],
      {
        'not ready while it is down': happened.isNotReady,
        'no response other than 503': ledger.unexpected.size === 0,
        '503 with Retry-After': ledger.withoutRetryAfter === 0,
        'less than 100 MB more memory': grew(happened) < memoryMaxBytes,
      },
      { 'recovered within 2 s': happened.healedMs <= 2000 },
    )
  },
}

const postgresFrozen: Fault = {
  number: 7,
  fault: 'PostgreSQL is frozen (SIGSTOP) under load, and continues',
  promise: 'bounded waits; what needs no accounts works',
  target: 'p99 until a refusal 12 s; 0 lost; health within 1 s',
  async measure({ isQuick }) {
    const through = await throughOutage((postgres) => ({
      lastsMs: isQuick ? 10_000 : 40_000,
      begin: postgres.freeze,
      end: postgres.thaw,
    }))
    const { happened, ledger } = through
    return judgeThrough(
      through,
      describeFailures(happened),
      [
        `health at most ${ms(largest(happened.healthMs))}`,
        `spans accepted ${ms(happened.healedMs)} after it continued`,
      ],
      {
        'refused while frozen': happened.failedMs.length > 0,
        'no response other than 503': ledger.unexpected.size === 0,
      },
      {
        'p99 until a refusal within 12 s': quantile(happened.failedMs, 0.99) <= 12_000,
        'health within 1 s': largest(happened.healthMs) <= 1000,
      },
    )
  },
}

/** A batch that had no response may be stored in part, until a process finds it: each minute one of them looks. */
const repairMs = 130_000

const clickHouseDown: Fault = {
  number: 8,
  fault: 'ClickHouse is killed under load and started again, then frozen (SIGSTOP) and continues',
  promise: '503 with Retry-After, nothing acknowledged is lost, recovery without a restart',
  target:
    'p99 until a refusal 1 s; 0 lost, 0 crashes; spans accepted 2 s after it is back, totals right within two minutes; 100 MB more memory at most than after an earlier outage',
  async measure({ isQuick }) {
    if (!hasScaledStores())
      return notRun(
        'the ClickHouse engine is not installed: npm install --no-workspaces --prefix server/test/clickhouse',
      )
    const lastsMs = isQuick ? 5000 : 60_000
    const stores = await startScaledStores()
    const { clickHouse, env } = stores
    const kill = { lastsMs, begin: clickHouse.kill, end: clickHouse.restart }
    const fault = async (rig: Rig) => {
      // Thousands of refusals leave garbage, which is collected when the heap has grown by some 150 MB.
      await observe(rig, kill)
      return [
        await observe(rig, kill),
        await observe(rig, { lastsMs, begin: clickHouse.freeze, end: clickHouse.thaw }),
      ]
    }
    const through = await throughFault({ env }, {}, fault, repairMs)
    await stores.stop()
    const { happened, ledger } = through
    const measurements = (observed: Observed, back: string) =>
      `${describeFailures(observed)}, health at most ${ms(largest(observed.healthMs))}, spans accepted ${ms(observed.healedMs)} after ${back}, ${describeMemory(observed)}`
    const [killed, frozen] = happened as [Observed, Observed]
    return judgeThrough(
      through,
      'killed, then frozen',
      [
        `killed: ${measurements(killed, 'it was up')}`,
        `frozen: ${measurements(frozen, 'it continued')}`,
        `all totals right ${seconds(through.repairedMs)} after the load`,
        'the engine is that of the tests, behind its HTTP interface',
      ],
      {
        'refused meanwhile': happened.every(({ failedMs }) => failedMs.length > 0),
        'not ready meanwhile': happened.every(({ isNotReady }) => isNotReady),
        'no response other than 503': ledger.unexpected.size === 0 && ledger.counts.reset === 0,
        '503 with Retry-After': ledger.withoutRetryAfter === 0,
        'less than 100 MB more memory': happened.every((one) => grew(one) < memoryMaxBytes),
      },
      {
        'p99 until a refusal within 1 s': happened.every(
          ({ failedMs }) => quantile(failedMs, 0.99) <= 1000,
        ),
        'recovered within 2 s': happened.every(({ healedMs }) => healedMs <= 2000),
      },
    )
  },
}

export const databaseFaults: readonly Fault[] = [postgresDown, postgresFrozen, clickHouseDown]
