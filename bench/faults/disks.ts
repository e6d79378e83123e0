import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDataDir } from '../../e2e/running-service.ts'
import { hasStrace, injectFault, noStrace } from '../../e2e/strace.ts'
import { ms } from '../page.ts'
import { audit } from './audit.ts'
import { type Fault, judge, largest, notRun, type Outcome, seconds } from './fault.ts'
import { healedAfterMs, type Rig, readiness, until, withRig } from './rig.ts'
import { countUnsynced } from './sync-order.ts'
import { judgeThrough, type Through, throughFault } from './through-fault.ts'

/*
 * The disk is full, fails, hangs, or loses what was not synced.
 */

const syncBeforeResponse: Fault = {
  number: 3,
  fault: 'loss of power: what was not synced is gone',
  promise: 'spans are synced before their response leaves',
  target: 'a sync between the last write to the log and the response, in 100%',
  async measure({ isQuick }) {
    if (!hasStrace()) return notRun(noStrace)
    return await withRig({}, async (rig) => {
      const trace = join(newDataDir(), 'calls')
      const tracer = spawn('strace', [
        ...['-f', '-y', '-s', '24', '-o', trace, '-p', String(rig.service().process.pid)],
        ...['-e', 'trace=pwrite64,fsync,fdatasync,write,writev'],
      ])
      await once(tracer.stderr, 'data')
      tracer.stderr.resume()
      // One at a time: each response must have a sync of its own.
      const writers = rig.startWriters({ writers: 1 })
      await until(() => rig.ledger.counts.acknowledged >= (isQuick ? 50 : 500), 60_000)
      await writers.stop()
      const detached = once(tracer, 'exit')
      tracer.kill('SIGINT')
      await detached
      const { responses, unsynced } = countUnsynced(readFileSync(trace, 'utf8'))
      const { acknowledged } = rig.ledger.counts
      const measured = `${responses} acknowledgements traced, ${unsynced} left before the sync of their spans`
      return judge(measured, {
        'every acknowledgement was traced': responses >= acknowledged && acknowledged > 0,
        'synced before the response': unsynced === 0,
      })
    })
  },
}

const diskBytes = 96 * 1024 * 1024

const fullDisk: Fault = {
  number: 4,
  fault: 'the disk of the data folder is full, and has space again',
  promise: '503, nothing acknowledged is lost, reading continues, recovery without a restart',
  target: '0 lost, no response other than 503; accepts spans 10 s after there is space',
  async measure({ isQuick }) {
    const dataDir = newDataDir()
    try {
      const options = ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', dataDir]
      execFileSync('mount', options, { stdio: 'ignore' })
    } catch {
      return notRun('only root may make a small disk')
    }
    try {
      return judgeFullDisk(
        await throughFault({ dataDir }, { pauseMs: 20 }, (rig) => fillAndFree(rig, isQuick)),
      )
    } finally {
      execFileSync('umount', [dataDir])
    }
  },
}

async function fillAndFree(rig: Rig, isQuick: boolean) {
  await sleep(1000)
  const filler = join(rig.service().dataDir, 'filler')
  fillDisk(filler)
  const isRefused = await until(() => rig.ledger.counts.refused >= 16, 30_000)
  const isNotReady = await until(async () => (await readiness(rig.service())) === 503, 15_000)
  await sleep(isQuick ? 2000 : 15_000)
  const whileFull = await audit(rig.service(), rig.owner, rig.ledger)
  const spaceAt = performance.now()
  rmSync(filler)
  return { isRefused, isNotReady, whileFull, healedMs: await healedAfterMs(rig, spaceAt) }
}

function judgeFullDisk(through: Through<Awaited<ReturnType<typeof fillAndFree>>>): Outcome {
  const { happened, ledger } = through
  const { isRefused, isNotReady, whileFull, healedMs } = happened
  return judgeThrough(
    through,
    `${ledger.counts.refused} times 503`,
    [`spans accepted ${ms(healedMs)} after there was space`],
    {
      'refused while full': isRefused,
      'not ready while full': isNotReady,
      'readable while full': whileFull.lost === 0,
      'no other response': ledger.unexpected.size === 0,
      '503 with Retry-After': ledger.withoutRetryAfter === 0,
    },
    { 'recovered within 10 s': healedMs <= 10_000 },
  )
}

/** Until nothing more fits. */
function fillDisk(file: string): void {
  try {
    writeFileSync(file, Buffer.alloc(diskBytes))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

const logOf = (rig: Rig) => join(rig.service().dataDir, 'telemetry.sqlite-wal')

const failingSync: Fault = {
  number: 5,
  fault: 'fsync fails with EIO under load',
  promise: 'nothing is acknowledged while the disk fails, and what was is there after a kill',
  target: '0 acknowledgements while it fails, 0 lost',
  async measure({ isQuick }) {
    if (!hasStrace()) return notRun(noStrace)
    const rounds = isQuick ? 1 : 5
    const through = await throughFault({}, {}, async (rig) => {
      let falseAcknowledgements = 0
      const healedMs: number[] = []
      for (let round = 0; round < rounds; round++) {
        await sleep(1000)
        const failed = await failOnce(rig)
        falseAcknowledgements += failed.falseAcknowledgements
        healedMs.push(failed.healedMs)
        await sleep(200)
        await rig.service().kill()
        await rig.start()
      }
      return { falseAcknowledgements, healedMs }
    })
    const { falseAcknowledgements, healedMs } = through.happened
    return judgeThrough(
      through,
      `${rounds} times: ${falseAcknowledgements} acknowledgements while it failed, ${through.ledger.counts.refused} times 503`,
      [`spans accepted at most ${ms(largest(healedMs))} after it worked again`],
      {
        'no acknowledgement while it fails': falseAcknowledgements === 0,
        'no other response': through.ledger.unexpected.size === 0,
        'recovers by itself': healedMs.every((value) => Number.isFinite(value)),
      },
    )
  },
}

async function failOnce(rig: Rig) {
  const { counts } = rig.ledger
  const refusedBefore = counts.refused
  const fault = await injectFault(rig.service().process, 'fsync,fdatasync:error=EIO', [logOf(rig)])
  // All that was under way when it began has its response.
  await until(() => counts.refused >= refusedBefore + 32, 20_000)
  const acknowledgedBefore = counts.acknowledged
  await sleep(2000)
  const falseAcknowledgements = counts.acknowledged - acknowledgedBefore
  const endedAt = performance.now()
  await fault.end()
  return { falseAcknowledgements, healedMs: await healedAfterMs(rig, endedAt) }
}

const hangingDisk: Fault = {
  number: 28,
  fault: 'the embedded engine hangs: each sync of its log takes a minute',
  promise: 'the service notices and says so, and nothing acknowledged is lost',
  target: 'not ready within 5 s; spans accepted 15 s after it works again; 0 lost',
  async measure() {
    if (!hasStrace()) return notRun(noStrace)
    const through = await throughFault({}, {}, async (rig, writers) => {
      await sleep(1000)
      const hung = await hang(rig)
      await writers.stop()
      await rig.service().kill()
      await rig.start()
      return hung
    })
    const { noticedMs, refused, healedMs } = through.happened
    const noticed = Number.isFinite(noticedMs)
      ? `not ready after ${seconds(noticedMs)}`
      : 'still ready after 30 s'
    return judgeThrough(
      through,
      `${noticed}, ${refused} times 503 in the 5 s from then on`,
      [`spans accepted ${seconds(healedMs)} after it worked again`],
      {
        'not ready while it hangs': Number.isFinite(noticedMs),
        'refused while it hangs': refused > 0,
        'no other response': through.ledger.unexpected.size === 0,
        '503 with Retry-After': through.ledger.withoutRetryAfter === 0,
      },
      { 'not ready within 5 s': noticedMs <= 5000, 'recovered within 15 s': healedMs <= 15_000 },
    )
  },
}

async function hang(rig: Rig) {
  const hangsAt = performance.now()
  const delay = 'fsync,fdatasync:delay_enter=60000000'
  const fault = await injectFault(rig.service().process, delay, [logOf(rig)])
  const isNotReady = await until(async () => (await readiness(rig.service())) !== 200, 30_000)
  const noticedMs = isNotReady ? performance.now() - hangsAt : Number.POSITIVE_INFINITY
  const refusedBefore = rig.ledger.counts.refused
  // Each of the first writers waits for the response to its batch.
  const others = rig.startWriters({ writers: 4 })
  await sleep(5000)
  const refused = rig.ledger.counts.refused - refusedBefore
  await others.stop()
  await fault.end()
  return { noticedMs, refused, healedMs: await healedAfterMs(rig, performance.now(), 90_000) }
}

export const diskFaults: readonly Fault[] = [syncBeforeResponse, fullDisk, failingSync, hangingDisk]
