import { spawnSync } from 'node:child_process'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { newDataDir } from '../../e2e/running-service.ts'
import { audit, auditConditions, describeAudit } from './audit.ts'
import { type Fault, judge, notRun, type Outcome } from './fault.ts'
import { type Rig, readiness, withRig } from './rig.ts'

/*
 * Clocks that are wrong: those of senders, and that of the machine, by libfaketime.
 */

const sentTimes = [
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2261-12-31T23:59:59.999999999Z',
  '2016-12-31T23:59:60Z',
  '1969-12-31T23:59:59Z',
  '2026-02-30T00:00:00Z',
]

const wrongClocks: Fault = {
  number: 17,
  fault:
    'senders whose clocks are off by centuries; the clock of the machine jumps by an hour and back',
  promise: 'spans are stored or refused with a reason; ingestion and sessions continue',
  target: 'no 500, 0 lost, the session remains valid',
  async measure() {
    const library = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]
    if (library === undefined) return notRun('libfaketime is not installed (Debian: `faketime`)')
    const offset = join(newDataDir(), 'offset')
    writeFileSync(offset, '+0')
    const fake = {
      ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: offset, FAKETIME_NO_CACHE: '1' },
      // As for a clock that is set: time that passes is measured by another one.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
    writeFileSync(offset, '+3600')
    const program = ['-e', 'console.log(Date.now())']
    const jumped = spawnSync(process.execPath, program, { env: fake, encoding: 'utf8' })
    writeFileSync(offset, '+0')
    if (Math.abs(Number(jumped.stdout) - Date.now() - 3_600_000) > 60_000)
      return notRun('libfaketime does not change the time of Node here')
    return await withRig({ env: fake }, (rig) => jump(rig, offset))
  },
}

async function jump(rig: Rig, offset: string): Promise<Outcome> {
  const writers = rig.startWriters({ pauseMs: 20 })
  const sessions: number[] = []
  const ready: number[] = []
  for (const seconds of ['+0', '+3600', '+0', '-3600', '+0']) {
    writeFileSync(offset, seconds)
    await sleep(3000)
    ready.push(await readiness(rig.service()))
    const { api } = rig.service()
    const response = await fetch(`${api}/orgs`, { headers: rig.owner.session })
    await response.arrayBuffer()
    sessions.push(response.status)
  }
  await writers.stop()
  const found = await audit(rig.service(), rig.owner, rig.ledger)
  const statuses: string[] = []
  for (const started_at of sentTimes)
    statuses.push(`${started_at} ${await sendAt(rig, started_at)}`)
  const { refused, reset } = rig.ledger.counts
  const measured = `jumps by an hour forward, back, backward and forward: ${describeAudit(found)}, ${refused + reset} requests failed, sessions ${sessions.join(' ')}; spans from ${statuses.join(', ')}`
  return judge(measured, {
    ...auditConditions(found),
    'no request failed': refused + reset === 0 && rig.ledger.unexpected.size === 0,
    'the session remains valid': sessions.every((status) => status === 200),
    'ready throughout': ready.every((status) => status === 200),
    'no 500': statuses.every((one) => !one.endsWith('500')),
  })
}

async function sendAt(rig: Rig, started_at: string): Promise<number> {
  const spans = [{ span_id: 'a', name: 'a', started_at }]
  const response = await fetch(rig.service().api + ingestTrace.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': rig.owner.tracing_key },
    body: JSON.stringify({ trace_id: `at ${started_at}`, spans }),
  })
  await response.arrayBuffer()
  return response.status
}

export const clockFaults: readonly Fault[] = [wrongClocks]
