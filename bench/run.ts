import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from '../e2e/running-service.ts'
import { estimateRows } from './estimate-load.ts'
import { evaluationRows } from './evaluations.ts'
import { measureFilled } from './filled-store.ts'
import { measureLive } from './live.ts'
import type { LoadOutcome, LoadPlan } from './load.ts'
import { kb, ms, type Row, row, thousands, writeSection } from './page.ts'
import { measureReferences, type Reference, type References } from './references.ts'
import { runLoad } from './run-load.ts'
import { measureScaled } from './scaled.ts'
import { whenSearchable } from './search-lag.ts'

/*
 * `npm run bench`: measures the targets of the architecture over HTTP on this machine, each next to a
 * reference from the same run, and writes docs/benchmarks.md. `--seconds 10` shortens the run; `--stored
 * 5000000` first fills the store with that many spans (some minutes, 2 KB per span); `--scaled 20` measures PostgreSQL and
 * ClickHouse up to 20 million spans, and `--live` how soon what one of several processes stores is on the pages of another
 * one, both after `npm install --no-workspaces --prefix server/test/clickhouse`.
 */

const about =
  'The load generator, the service and the disk share one machine; every request goes through HTTP, and every acknowledgement follows an fsync.'
const seconds = Number(argument('--seconds') ?? 60)

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : process.argv[at + 1]
}

async function measureColdStart(references: References): Promise<Row[]> {
  const warmUp = await runService()
  await warmUp.stop()
  const fresh = await runService()
  const memory = residentMegabytes(fresh)
  await fresh.stop()
  return [
    row(
      'Cold start to ready',
      '<= 1 s',
      `${(fresh.readyAfterMs / 1000).toFixed(2)} s`,
      references.start,
    ),
    row('Idle memory', '<= 150 MB', `${memory.toFixed(0)} MB`, references.memory),
  ]
}

function residentMegabytes({ process: { pid } }: RunningService): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

async function measure(
  at: RunningService,
  account: SetUpService,
  references: References,
): Promise<Row[]> {
  const load = (plan: Omit<LoadPlan, 'origin'>) => runLoad({ origin: at.origin, ...plan })
  const headers = { 'x-tracing-key': account.tracing_key }
  await load({ headers, clients: 4, seconds: 2, work: { kind: 'otlp', batchSpans: 512 } })
  const json = await jsonRows(load, headers, references)
  const before = telemetryBytes(at)
  await whenSearchable(at, 0)
  const startedAt = performance.now()
  const otlp = await load({ headers, clients: 8, seconds, work: { kind: 'otlp', batchSpans: 512 } })
  await whenSearchable(at, 0)
  const searchableSeconds = (performance.now() - startedAt) / 1000
  const perSpanBytes = (telemetryBytes(at) - before) / otlp.spans
  return [
    otlpRow(otlp, references),
    row(
      'The same, until every span can be found by a search',
      '',
      `${thousands(otlp.spans / searchableSeconds)} spans/s`,
    ),
    ...json,
    ...(await readRows(at, account, load, headers)),
    ...(await evaluationRows(at, account, load)),
    ...(await estimateRows(at, account)),
    await bombRow(at, account, load),
    row('Disk per span of 2 KB', '<= 1.2 KB', `${(perSpanBytes / 1024).toFixed(2)} KB`),
  ]
}

type Load = (plan: Omit<LoadPlan, 'origin'>) => Promise<LoadOutcome>
type Headers = Readonly<Record<string, string>>

const perSecond = (outcome: LoadOutcome) => outcome.spans / outcome.seconds

async function jsonRows(load: Load, headers: Headers, references: References): Promise<Row[]> {
  const work = { kind: 'json' } as const
  const alone = await load({ headers, clients: 1, seconds: 5, work })
  const many = await load({ headers, clients: 32, seconds: Math.min(20, seconds), work })
  const { singleInserts } = references
  return [
    row(
      'JSON ingest, one span per request, 32 clients',
      '>= 4,000 requests/s',
      `${thousands(perSecond(many))} requests/s, p99 ${ms(many.p99Ms)}`,
      `${ratio(perSecond(many), singleInserts)} of ${thousands(singleInserts.perSecond)} ${singleInserts.what}`,
    ),
    row('The same, one client', 'p50 <= 2 ms', `p50 ${ms(alone.p50Ms)}, p99 ${ms(alone.p99Ms)}`),
  ]
}

function otlpRow(otlp: LoadOutcome, { rawInserts, bareDecode }: References): Row {
  const rate = perSecond(otlp)
  return row(
    `OTLP protobuf, batches of 512 spans of 2 KB, 8 clients, ${seconds} s`,
    '>= 25,000 spans/s, p99 <= 150 ms, none refused',
    `${thousands(rate)} spans/s, p99 ${ms(otlp.p99Ms)}, ${otlp.refused} refused`,
    `${ratio(rate, rawInserts)} of ${thousands(rawInserts.perSecond)} ${rawInserts.what}; ${ratio(rate, bareDecode)} of ${thousands(bareDecode.perSecond)} ${bareDecode.what}`,
  )
}

async function readRows(
  at: RunningService,
  account: SetUpService,
  load: Load,
  key: Headers,
): Promise<Row[]> {
  const traces = `/projects/${account.project.id}/traces`
  const headers = { ...account.session, 'accept-encoding': 'gzip' }
  const read = (paths: readonly string[]) =>
    load({ headers, clients: 1, seconds: 10, work: { kind: 'read', paths } })
  const pages = await cursorsDeep(at, account, traces)
  const ingesting = load({ headers: key, clients: 2, seconds: 12, work: { kind: 'json' } })
  const list = await read(pages)
  await ingesting
  const trace = await read(await someTraces(at, account, traces))
  const skeleton = await read([`${traces}/${await bigTrace(at, account)}?payload=none`])
  return [
    row(
      'A page of 50 traces, 40 pages deep, while ingesting',
      'p50 <= 5 ms, p99 <= 50 ms',
      `p50 ${ms(list.p50Ms)}, p99 ${ms(list.p99Ms)}`,
    ),
    row(
      'One trace of 20 spans with bodies',
      'p50 <= 3 ms',
      `p50 ${ms(trace.p50Ms)}, ${kb(trace.responseBytes)}`,
    ),
    row(
      'Skeleton of a 10,000-span trace: five pages of 2,000',
      '<= 60 ms and <= 2 MB',
      `p50 ${ms(skeleton.p50Ms * 5)}, ${kb(skeleton.responseBytes * 5)} gzip`,
    ),
  ]
}

/** How long others wait while bodies arrive that are built to be slow. */
async function bombRow(at: RunningService, account: SetUpService, load: Load): Promise<Row> {
  const key = { 'x-tracing-key': account.tracing_key }
  const json = { 'content-type': 'application/json' }
  const lists = `[${'[],'.repeat(1_400_000)}[]]`
  const keys = `{${Array.from({ length: 400_000 }, (_, n) => `"k${n}":1`).join(',')}}`
  const spans = (input: string) =>
    `{"trace_id":"bomb","spans":[{"span_id":"a","name":"a","started_at":"2026-01-01T00:00:00Z","input":${input}}]}`
  const attribute = (value: string) => `{"resourceSpans":[{"resource":{"attributes":${value}}}]}`
  const zeros = gzipSync(new Uint8Array(1024 * 1024 * 1024))
  const bombs: (readonly [
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Headers,
  ])[] = [
    ['/traces/ingest', spans(lists), json],
    ['/traces/ingest', spans(keys), json],
    ['/traces', attribute(lists), json],
    ...Array.from({ length: 20 }, () => {
      const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' }
      return ['/traces', Uint8Array.from(zeros), headers] as const
    }),
  ]
  const watching = load({
    headers: account.session,
    clients: 1,
    seconds: 6,
    work: { kind: 'read', paths: ['/orgs'] },
  })
  await Promise.all(
    bombs.map(async ([path, body, headers]) => {
      const answer = await fetch(at.api + path, {
        method: 'POST',
        headers: { ...key, ...headers },
        body,
      })
      await answer.arrayBuffer()
    }),
  )
  const { maxMs } = await watching
  return row(
    'Longest wait of another client while 23 decompression bombs of up to 1 GiB arrive at once',
    '<= 150 ms',
    ms(maxMs),
  )
}

function telemetryBytes({ dataDir }: RunningService): number {
  return statSync(join(dataDir, 'telemetry.sqlite')).size
}

async function getJson(at: RunningService, account: SetUpService, path: string): Promise<Listed> {
  const response = await fetch(at.api + path, { headers: account.session })
  return (await response.json()) as Listed
}

interface Listed {
  readonly data: readonly { readonly trace_id: string; readonly span_count: number }[]
  readonly meta: { readonly cursor: string }
}

async function cursorsDeep(
  at: RunningService,
  account: SetUpService,
  traces: string,
): Promise<string[]> {
  const paths = [traces]
  for (let n = 0; n < 40; n++) {
    const { meta } = await getJson(at, account, `${paths.at(-1)}`)
    paths.push(`${traces}?cursor=${meta.cursor}`)
  }
  return paths
}

async function someTraces(
  at: RunningService,
  account: SetUpService,
  traces: string,
): Promise<string[]> {
  const { data } = await getJson(at, account, `${traces}?limit=100&source=otlp`)
  return data.filter((one) => one.span_count === 20).map((one) => `${traces}/${one.trace_id}`)
}

async function bigTrace(at: RunningService, account: SetUpService): Promise<string> {
  for (let batch = 0; batch < 20; batch++) {
    const spans = Array.from({ length: 500 }, (_, n) => ({
      span_id: `s${batch * 500 + n}`,
      name: n % 2 === 0 ? 'chat gpt-5' : 'search',
      kind: n % 2 === 0 ? 'llm' : 'tool',
      started_at: new Date(Date.now() + batch * 500 + n).toISOString(),
      latency_ms: 5,
      ...(batch + n === 0 ? {} : { parent_span_id: `s${Math.floor((batch * 500 + n) / 10)}` }),
    }))
    await fetch(`${at.api}/traces/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tracing-key': account.tracing_key },
      body: JSON.stringify({ trace_id: 'big', spans }),
    })
  }
  return 'big'
}

const ratio = (value: number, reference: Reference) =>
  `${Math.round((100 * value) / reference.perSecond)} %`

async function run(): Promise<void> {
  const references = await measureReferences()
  const coldStart = await measureColdStart(references)
  const service = await runService()
  const rows = await measure(service, await setUpService(service), references)
  await service.stop()
  console.log(writeSection('A nearly empty store', about, [...coldStart, ...rows]))
}

const stored = argument('--stored')
const scaled = argument('--scaled')
if (process.argv.includes('--live')) await measureLive()
else if (scaled !== undefined) await measureScaled(seconds, Number(scaled))
else if (stored === undefined) await run()
else await measureFilled(Number(stored), seconds)
