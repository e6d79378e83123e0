import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '../../server/test/postgres-server.ts'
import { ms } from '../page.ts'
import { audit, auditConditions, describeAudit } from './audit.ts'
import { type Fault, judge, largest, megabytes, notRun, quantile, seconds } from './fault.ts'
import { acknowledgedAfterMs } from './ledger.ts'
import { openRig, type Rig, readiness, residentBytes, until } from './rig.ts'

/*
 * A database server fails while the service runs, and comes back.
 */

async function openOnPostgres(postgres: PostgresServer): Promise<Rig> {
  return openRig({
    env: { ASSAY_DATABASE_URL: postgres.url, ASSAY_SECRET: 'a secret of the fault table, long' },
  })
}

const postgresDown: Fault = {
  number: 6,
  fault: 'PostgreSQL is killed under load, and started again after a minute',
  promise: '503 with Retry-After, no crash, recovery without a restart',
  target: 'spans accepted 2 s after it is up; 0 lost, 0 crashes, no growth of memory',
  async measure({ isQuick }) {
    const postgres = await startPostgres()
    const rig = await openOnPostgres(postgres)
    const writers = rig.startWriters()
    await sleep(3000)
    const bytesBefore = residentBytes(rig.service())
    await postgres.crash()
    const isNotReady = await until(async () => (await readiness(rig.service())) === 503, 20_000)
    await sleep(isQuick ? 5000 : 60_000)
    await postgres.restart()
    const upAt = performance.now()
    await until(() => acknowledgedAfterMs(rig.ledger, upAt) !== undefined, 30_000)
    const healedMs = acknowledgedAfterMs(rig.ledger, upAt) ?? Number.POSITIVE_INFINITY
    await sleep(1000)
    const grewBytes = residentBytes(rig.service()) - bytesBefore
    await writers.stop()
    const found = await audit(rig.service(), rig.owner, rig.ledger)
    const { exitCode, signalCode } = rig.service().process
    await rig.end()
    await postgres.stop()
    const measured = `${rig.ledger.counts.refused} times 503; ${describeAudit(found)}; spans accepted ${ms(healedMs)} after it was up; memory ${megabytes(bytesBefore)} before, ${megabytes(bytesBefore + grewBytes)} afterwards`
    return judge(measured, {
      ...auditConditions(found),
      'not ready while it is down': isNotReady,
      'no response other than 503': rig.ledger.unexpected.size === 0,
      '503 with Retry-After': rig.ledger.withoutRetryAfter === 0,
      'no crash': exitCode === null && signalCode === null,
      'recovered within 2 s': healedMs <= 2000,
      'less than 100 MB more memory': grewBytes < 100 * 1024 * 1024,
    })
  },
}

const postgresFrozen: Fault = {
  number: 7,
  fault: 'PostgreSQL is frozen (SIGSTOP) under load, and continues',
  promise: 'bounded waits; what needs no accounts works',
  target: 'p99 until a refusal 12 s; 0 lost; health within 1 s',
  async measure({ isQuick }) {
    const postgres = await startPostgres()
    const rig = await openOnPostgres(postgres)
    const writers = rig.startWriters()
    await sleep(2000)
    rig.ledger.failedAfterMs.length = 0
    postgres.freeze()
    const healthMs: number[] = []
    const endsAt = performance.now() + (isQuick ? 10_000 : 40_000)
    while (performance.now() < endsAt) {
      const sentAt = performance.now()
      await (await fetch(`${rig.service().origin}/healthz`)).arrayBuffer()
      healthMs.push(performance.now() - sentAt)
      await sleep(200)
    }
    postgres.thaw()
    const thawedAt = performance.now()
    await until(() => acknowledgedAfterMs(rig.ledger, thawedAt) !== undefined, 30_000)
    const healedMs = acknowledgedAfterMs(rig.ledger, thawedAt) ?? Number.POSITIVE_INFINITY
    const failedMs = [...rig.ledger.failedAfterMs]
    await sleep(500)
    await writers.stop()
    const found = await audit(rig.service(), rig.owner, rig.ledger)
    await rig.end()
    await postgres.stop()
    const measured = `${failedMs.length} refusals after p50 ${seconds(quantile(failedMs, 0.5))}, p99 ${seconds(quantile(failedMs, 0.99))}; health at most ${ms(largest(healthMs))}; ${describeAudit(found)}; spans accepted ${ms(healedMs)} after it continued`
    return judge(measured, {
      ...auditConditions(found),
      'refused while frozen': failedMs.length > 0,
      'p99 until a refusal within 12 s': quantile(failedMs, 0.99) <= 12_000,
      'health within 1 s': largest(healthMs) <= 1000,
      'no response other than 503': rig.ledger.unexpected.size === 0,
    })
  },
}

/** Its place is here: as above, with the settings of both databases. */
const clickHouseDown: Fault = {
  number: 8,
  fault: 'ClickHouse, where it is used, is stopped and started again',
  promise: 'nothing is acknowledged that cannot be stored',
  target: '0 lost',
  measure: () => Promise.resolve(notRun('the rig does not start a service on ClickHouse yet')),
}

export const databaseFaults: readonly Fault[] = [postgresDown, postgresFrozen, clickHouseDown]
