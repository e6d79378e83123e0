import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from '../../e2e/running-service.ts'

/*
 * How long `/healthz` takes, every 20 ms, from a process of its own: what holds up the sender must not count.
 */

export interface HealthWatch {
  /** Returns the latencies, in milliseconds. */
  stop(): Promise<readonly number[]>
}

export function watchHealth({ origin }: RunningService): HealthWatch {
  const child = fork(import.meta.filename, [origin], { execArgv: [] })
  return {
    async stop() {
      const reported = once(child, 'message') as Promise<[readonly number[]]>
      child.send('stop')
      const [latencies] = await reported
      child.kill()
      return latencies
    },
  }
}

async function watch(origin: string): Promise<void> {
  const latencies: number[] = []
  process.once('message', () => process.send?.(latencies))
  process.once('disconnect', () => process.exit(0))
  for (;;) {
    const sentAt = performance.now()
    await (await fetch(`${origin}/healthz`)).arrayBuffer()
    latencies.push(performance.now() - sentAt)
    await sleep(20)
  }
}

if (process.argv[1] === import.meta.filename) await watch(process.argv[2] ?? '')
