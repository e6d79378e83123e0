import { setTimeout as sleep } from 'node:timers/promises'
import { littleMemoryEnv, openMemoryGroup } from '../../e2e/memory-group.ts'
import { ms, thousands } from '../page.ts'
import { runLoad } from '../run-load.ts'
import { type Fault, judge, megabytes, notRun } from './fault.ts'
import { watchMemory } from './memory.ts'
import { healedAfterMs, withRig } from './rig.ts'
import { runSoak } from './soak-run.ts'
import { judgeThrough, throughFault } from './through-fault.ts'

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
    const group = openMemoryGroup(memoryBytes)
    if (group === undefined) return notRun('only root may limit memory')
    const plan = { writers: 64, input: 'word '.repeat(40_000) }
    const options = { through: group.through, env: littleMemoryEnv }
    const through = await throughFault(options, plan, async (rig, writers) => {
      const memory = watchMemory(rig.service())
      await sleep(isQuick ? 10_000 : 120_000)
      const overAt = performance.now()
      const stopped = writers.stop()
      const healedMs = await healedAfterMs(rig, overAt, 10_000)
      await stopped
      return { healedMs, peakBytes: memory.stop().peakBytes }
    })
    group.remove()
    const { peakBytes, healedMs } = through.happened
    const { unexpected, counts } = through.ledger
    return judgeThrough(
      through,
      `64 writers of spans of 200 KB, in a control group: at most ${megabytes(peakBytes)}, ${counts.refused} times 503`,
      [],
      {
        'at most 512 MB': peakBytes <= memoryBytes,
        'no other response': unexpected.size === 0 && counts.reset === 0,
      },
      { 'accepts again within 10 s': healedMs <= 10_000 },
    )
  },
}

const overload: Fault = {
  number: 23,
  fault: 'overload: 512 connections without a pause, where 32 use all there is',
  promise: 'as much is stored as without the overload, within a bounded time',
  target: '80% of the peak; p99 of acknowledgements 2 s',
  async measure({ isQuick }) {
    return await withRig({}, async (rig) => {
      const plan = {
        origin: rig.service().origin,
        headers: { 'x-tracing-key': rig.owner.tracing_key },
        seconds: isQuick ? 5 : 30,
        work: { kind: 'json' },
      } as const
      await runLoad({ ...plan, clients: 32, seconds: 3 })
      const peak = await runLoad({ ...plan, clients: 32 })
      const over = await runLoad({ ...plan, clients: 512 })
      const rate = (one: typeof peak) => (one.requests - one.refused) / one.seconds
      const share = rate(over) / rate(peak)
      const measured = `32 connections: ${thousands(rate(peak))} batches/s, p99 ${ms(peak.p99Ms)}; 512: ${thousands(rate(over))} batches/s (${Math.round(100 * share)}%), p99 ${ms(over.p99Ms)}, ${over.refused} refused`
      return judge(
        measured,
        {},
        { '80% of the peak': share >= 0.8, 'p99 within 2 s': over.p99Ms <= 2000 },
      )
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
