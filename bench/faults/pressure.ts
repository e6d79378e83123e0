import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ms, thousands } from '../page.ts'
import { runLoad } from '../run-load.ts'
import { audit, auditConditions, describeAudit } from './audit.ts'
import { type Fault, judge, megabytes } from './fault.ts'
import { acknowledgedAfterMs } from './ledger.ts'
import { openRig, type Rig, until } from './rig.ts'
import { runSoak } from './soak-run.ts'

/*
 * More is asked of the service than it can do, or for longer.
 */

const memoryBytes = 512 * 1024 * 1024

const littleMemory: Fault = {
  number: 22,
  fault: 'overload with large spans on a machine with 512 MB',
  promise: 'refuses with 503 before memory runs out',
  target: 'at most 512 MB; 0 lost; spans accepted 10 s after the overload',
  async measure({ isQuick }) {
    // The heap that Node takes by itself when it sees 512 MB.
    const rig = await openRig({ env: { NODE_OPTIONS: '--max-old-space-size=256' } })
    const writers = rig.startWriters({ writers: 64, input: 'word '.repeat(40_000) })
    await sleep(isQuick ? 10_000 : 120_000)
    const overAt = performance.now()
    const pending = writers.stop()
    const isAccepted = await until(
      () => acknowledgedAfterMs(rig.ledger, overAt) !== undefined,
      10_000,
    )
    await pending
    const peakBytes = peakResidentBytes(rig)
    const found = await audit(rig.service(), rig.owner, rig.ledger)
    const { exitCode, signalCode } = rig.service().process
    await rig.end()
    const measured = `64 writers of spans of 200 KB: peak of resident memory ${megabytes(peakBytes)}, ${rig.ledger.counts.refused} times 503; ${describeAudit(found)}. Measured by VmHWM with a heap of 256 MB, without a control group: the kernel would have killed it above 512 MB`
    return judge(measured, {
      ...auditConditions(found),
      'at most 512 MB': peakBytes <= memoryBytes,
      'no crash': exitCode === null && signalCode === null,
      'no other response': rig.ledger.unexpected.size === 0 && rig.ledger.counts.reset === 0,
      'accepts again': isAccepted,
    })
  },
}

/** The most that it has had since its start. */
function peakResidentBytes(rig: Rig): number {
  const status = readFileSync(`/proc/${rig.service().process.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

const overload: Fault = {
  number: 23,
  fault: 'overload: 512 connections without a pause, where 32 use all there is',
  promise: 'as much is stored as without the overload, within a bounded time',
  target: '80% of the peak; p99 of acknowledgements 2 s',
  async measure({ isQuick }) {
    const rig = await openRig()
    const plan = {
      origin: rig.service().origin,
      headers: { 'x-tracing-key': rig.owner.tracing_key },
      seconds: isQuick ? 5 : 30,
      work: { kind: 'json' },
    } as const
    await runLoad({ ...plan, clients: 32, seconds: 3 })
    const peak = await runLoad({ ...plan, clients: 32 })
    const over = await runLoad({ ...plan, clients: 512 })
    await rig.end()
    const rate = (one: typeof peak) => (one.requests - one.refused) / one.seconds
    const share = rate(over) / rate(peak)
    const measured = `32 connections: ${thousands(rate(peak))} batches/s, p99 ${ms(peak.p99Ms)}; 512: ${thousands(rate(over))} batches/s (${Math.round(100 * share)}%), p99 ${ms(over.p99Ms)}, ${over.refused} refused`
    return judge(measured, {
      '80% of the peak': share >= 0.8,
      'p99 within 2 s': over.p99Ms <= 2000,
    })
  },
}

const soak: Fault = {
  number: 30,
  fault: 'steady load for a long time, with the prober',
  promise: 'everything is found by id, in the list and in the totals',
  target: 'nothing lost',
  async measure({ soakMinutes }) {
    const { isSound, printed } = await runSoak(soakMinutes)
    const measured = `${printed.join('; ')}. 72 hours are \`npm run soak -- --minutes 4320\``
    return judge(measured, { 'nothing lost': isSound })
  },
}

export const pressureFaults: readonly Fault[] = [littleMemory, overload, soak]
