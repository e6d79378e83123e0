import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callWithMeta } from '@assay/contract/client.ts'
import { listTraces } from '@assay/contract/traces.ts'
import {
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from '../e2e/running-service.ts'
import { runLoad } from './run-load.ts'

/*
 * `npm run soak`: a service under steady load with the prober beside it, for ten minutes or `--minutes`.
 * Reports lost data, time until visible, memory and search index lag; exits with 1 if anything was lost.
 */

const minutes = Number(argument('--minutes') ?? 10)
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.')
const seconds = minutes * 60

/** A fraction of the capacity: the soak is about time, not limits. */
const load = { jsonPerSecond: 40, batchesPerSecond: 4, batchSpans: 100, spansPerTrace: 20 } as const

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : process.argv[at + 1]
}

async function soak(at: RunningService, owner: SetUpService): Promise<boolean> {
  const prober = startProber(at, owner)
  const ending = new AbortController()
  const watching = watch(at, ending.signal)
  const plan = { origin: at.origin, headers: { 'x-tracing-key': owner.tracing_key }, seconds }
  const [json, otlp] = await Promise.all([
    runLoad({ ...plan, clients: 2, perSecond: load.jsonPerSecond, work: { kind: 'json' } }),
    runLoad({
      ...plan,
      clients: 2,
      perSecond: load.batchesPerSecond,
      work: { kind: 'otlp', batchSpans: load.batchSpans },
    }),
  ])
  const probed = await prober.stop()
  ending.abort()
  const watched = await watching
  // Excludes what the prober writes to find its project.
  const promised = json.spans + otlp.spans / load.spansPerTrace + probed.acknowledged + 1
  const stored = await storedTraces(at, owner)
  const lines = [
    `${minutes} min: ${json.requests} JSON requests, ${otlp.requests} OTLP batches, ${json.refused + otlp.refused} refused`,
    `acknowledged to the load: JSON p50 ${ms(json.p50Ms)}, p99 ${ms(json.p99Ms)}; OTLP p50 ${ms(otlp.p50Ms)}, p99 ${ms(otlp.p99Ms)}`,
    `traces acknowledged ${promised}, stored ${stored}`,
    `prober: ${probed.acknowledged} acknowledged, ${probed.refused} refused, ${probed.lost} lost`,
    ...probed.found.map(
      ({ route, way, p50_ms, p99_ms, max_ms }) =>
        `  ${route} ${way}: p50 ${ms(p50_ms)}, p99 ${ms(p99_ms)}, max ${ms(max_ms)}`,
    ),
    `memory: ${mb(watched.firstBytes)} after a tenth of the time, ${mb(watched.lastBytes)} at the end, at most ${mb(watched.maxBytes)}`,
    `search: at most ${watched.maxLagSeconds.toFixed(1)} s behind`,
  ]
  for (const line of lines) console.log(line)
  // A refused request may have been stored all the same; an acknowledged one must be.
  return probed.code === 0 && probed.lost === 0 && stored >= promised
}

const ms = (value: number) => `${value.toFixed(1)} ms`
const mb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`

interface Probed {
  readonly code: number | null
  readonly acknowledged: number
  readonly refused: number
  readonly lost: number
  readonly found: readonly {
    readonly route: string
    readonly way: string
    readonly p50_ms: number
    readonly p99_ms: number
    readonly max_ms: number
  }[]
}

function startProber(at: RunningService, { tracing_key, session }: SetUpService) {
  const child: ChildProcess = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../server/src/command.ts'),
      ...['probe', '--session', '--json', '--url', at.origin],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  // Also if it ends at once, as with wrong arguments.
  const ended = once(child, 'close') as Promise<[number | null]>
  child.stdin?.end(`${tracing_key}\n${session.cookie}\n`)
  return {
    async stop(): Promise<Probed> {
      child.kill('SIGTERM')
      const [code] = await ended
      return {
        code,
        ...(JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Omit<Probed, 'code'>),
      }
    },
  }
}

interface Watched {
  readonly firstBytes: number
  readonly lastBytes: number
  readonly maxBytes: number
  readonly maxLagSeconds: number
}

async function watch(at: RunningService, ending: AbortSignal): Promise<Watched> {
  const memory: number[] = []
  let maxLagSeconds = 0
  while (!ending.aborted) {
    memory.push(residentBytes(at))
    maxLagSeconds = Math.max(maxLagSeconds, await searchLagSeconds(at))
    await sleep(1000, undefined, { signal: ending }).catch(() => undefined)
  }
  return {
    firstBytes: memory[Math.floor(memory.length / 10)] ?? 0,
    lastBytes: memory.at(-1) ?? 0,
    maxBytes: Math.max(0, ...memory),
    maxLagSeconds,
  }
}

function residentBytes({ process: { pid } }: RunningService): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

async function searchLagSeconds({ origin }: RunningService): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^\w*search_index_lag\w* (\S+)$/m.exec(text)?.[1] ?? 0)
}

async function storedTraces(at: RunningService, owner: SetUpService): Promise<number> {
  const args = { params: { projectId: owner.project.id }, query: {} }
  const { meta } = await callWithMeta(at.api, listTraces, args, { headers: owner.session })
  return meta.total ?? 0
}

// Checked last, when everything above has arrived.
const service = await runService()
const isSound = await soak(service, await setUpService(service))
await service.stop()
process.exitCode = isSound ? 0 : 1
