import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ms } from '../page.ts'
import { type Fault, largest, quantile, seconds } from './fault.ts'
import { judgeThrough, throughFault } from './through-fault.ts'

/*
 * The process is killed, stopped, or started twice.
 */

const kills: Fault = {
  number: 1,
  fault: 'kill -9 of the service during ingestion, 16 writers, JSON and OTLP mixed',
  promise: 'every acknowledged span can be read, no half batch, totals equal the sum of spans',
  target: '0 lost, 0 duplicate, 0 wrong totals; ready again in 5 s',
  async measure({ isQuick }) {
    const count = isQuick ? 20 : 200
    const through = await throughFault({}, {}, async (rig) => {
      const readyAfterMs: number[] = []
      for (let kill = 0; kill < count; kill++) {
        // At any moment: also before the first batch after the restart, and in the middle of maintenance.
        await sleep(Math.random() ** 2 * 1500)
        await rig.service().kill()
        readyAfterMs.push((await rig.start()).readyAfterMs)
      }
      return readyAfterMs
    })
    const readyMs = through.happened
    const ready = `ready again after p50 ${ms(quantile(readyMs, 0.5))}, at most ${ms(largest(readyMs))}`
    return judgeThrough(
      through,
      `${count} kills`,
      [ready],
      {},
      { 'ready again in 5 s': largest(readyMs) <= 5000 },
    )
  },
}

const gracefulStops: Fault = {
  number: 9,
  fault: 'SIGTERM under load, and a start afterwards, with writers on keep-alive connections',
  promise: 'requests under way finish, nothing acknowledged is lost, the process ends by itself',
  target: '0 lost, 0 resets; exit code 0 within 10 s',
  async measure({ isQuick }) {
    const count = isQuick ? 3 : 20
    const through = await throughFault({}, {}, async (rig) => {
      const stopMs: number[] = []
      const codes = new Set<number | null>()
      for (let stop = 0; stop < count; stop++) {
        await sleep(1000 + Math.random() * 500)
        const stopsAt = performance.now()
        codes.add(await rig.service().stop())
        stopMs.push(performance.now() - stopsAt)
        await rig.start()
      }
      return { stopMs, codes }
    })
    const { stopMs, codes } = through.happened
    const { reset, unreachable, refused } = through.ledger.counts
    return judgeThrough(
      through,
      `${count} stops`,
      [
        `${reset} resets, ${refused} times 503, ${unreachable} connections refused while it was stopped`,
        `stopped after p50 ${ms(quantile(stopMs, 0.5))}, at most ${ms(largest(stopMs))}`,
      ],
      { 'no resets': reset === 0, 'exit code 0': codes.size === 1 && codes.has(0) },
      { 'stopped within 10 s': largest(stopMs) <= 10_000 },
    )
  },
}

const secondStart: Fault = {
  number: 27,
  fault: 'a second service is started on the data folder of one that runs',
  promise: 'it is refused, and the first one is unharmed',
  target: 'exit code other than 0 within 1 s; 0 lost',
  async measure({ isQuick }) {
    const count = isQuick ? 3 : 10
    const through = await throughFault({}, { pauseMs: 50 }, async (rig) => {
      const exitMs: number[] = []
      const codes: (number | null)[] = []
      for (let start = 0; start < count; start++) {
        const startedAt = performance.now()
        codes.push(await startSecond(rig.service().dataDir))
        exitMs.push(performance.now() - startedAt)
      }
      return { exitMs, codes }
    })
    const { exitMs, codes } = through.happened
    const { reset, refused } = through.ledger.counts
    const refusals = `refused after p50 ${ms(quantile(exitMs, 0.5))}, at most ${seconds(largest(exitMs))}`
    return judgeThrough(
      through,
      `${count} starts, ${refusals}, under load`,
      [`${refused + reset} requests failed`],
      {
        'every start refused': codes.every((code) => code === 1),
        'no request failed': refused + reset === 0,
      },
      { 'within 1 s': largest(exitMs) <= 1000 },
    )
  },
}

async function startSecond(dataDir: string): Promise<number | null> {
  const main = join(import.meta.dirname, '../../server/src/main.ts')
  const second = spawn(process.execPath, [main], {
    env: {
      ...{ ASSAY_DATA_DIR: dataDir, ASSAY_PORT: '1', ASSAY_CHAT_PORT: '2' },
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.cache/node'),
    },
    stdio: 'ignore',
  })
  const [code] = (await once(second, 'exit')) as [number | null]
  return code
}

export const killFaults: readonly Fault[] = [kills, gracefulStops, secondStart]
