import { readFileSync } from 'node:fs'
import { type RunningService, type SetUpService, setUpService } from '../e2e/running-service.ts'
import { type ScaledStores, startScaledStores } from '../e2e/scaled-stores.ts'
import {
  type Connection,
  openConnection,
} from '../server/src/storage/telemetry/clickhouse/connection.ts'
import type { LoadOutcome, LoadPlan } from './load.ts'
import { ms, type Row, row, thousands, writeSection } from './page.ts'
import { runLoad } from './run-load.ts'

/*
 * `npm run bench -- --scaled 20`: one process on PostgreSQL and the engine of ClickHouse, all on this machine: ingestion next
 * to what the engine inserts by itself, and the cost of reads from one to twenty million stored spans.
 */

const days = 30
const million = 1_000_000
const sizes = [1, 5, 10, 20]

interface Bench {
  readonly stores: ScaledStores
  readonly at: RunningService
  readonly account: SetUpService
  readonly clickHouse: Connection
  readonly project: string
  readonly load: (plan: Omit<LoadPlan, 'origin'>) => Promise<LoadOutcome>
}

/** Measures and writes the sections; `most` millions of spans are stored at the end. */
export async function measureScaled(seconds: number, most: number): Promise<void> {
  const stores = await startScaledStores()
  const at = await stores.runService()
  const account = await setUpService(at)
  const clickHouse = openConnection({ url: stores.clickHouse.url, database: 'assay' })
  const bench: Bench = {
    ...{ stores, at, account, clickHouse },
    project: `/projects/${account.project.id}`,
    load: (plan) => runLoad({ origin: at.origin, ...plan }),
  }
  try {
    console.log(writeSection('PostgreSQL and ClickHouse', about, await ingestRows(bench, seconds)))
    const reached = sizes.filter((size) => size <= most)
    console.log(writeSection(growthTitle, growthAbout, await growthRows(bench, reached)))
  } finally {
    await clickHouse.close()
    await stores.stop()
  }
}

const about =
  'One process of Assay, PostgreSQL, the engine of ClickHouse (as a library, behind a small server) and the load generator share one machine.'
const growthTitle = 'Reads while the store in ClickHouse grows'
const growthAbout = `Spans of 2 KB in traces of 20, over ${days} days, one client. From the second size on, the stored traces are copied within ClickHouse.`

async function ingestRows(bench: Bench, seconds: number): Promise<Row[]> {
  const headers = { 'x-tracing-key': bench.account.tracing_key }
  const otlpWork = { kind: 'otlp', batchSpans: 512 } as const
  await bench.load({ headers, clients: 4, seconds: 3, work: otlpWork })
  const busyBefore = busySeconds(bench)
  const otlp = await bench.load({ headers, clients: 8, seconds, work: otlpWork })
  const busyAfter = busySeconds(bench)
  const memory = { service: residentMb(bench.at), engine: residentMb(bench.stores.clickHouse) }
  const bulk = await measureBulkInsert(bench)
  const many = await bench.load({ headers, clients: 32, seconds: 10, work: { kind: 'json' } })
  const alone = await bench.load({ headers, clients: 1, seconds: 5, work: { kind: 'json' } })
  const rate = otlp.spans / otlp.seconds
  return [
    row(
      `OTLP protobuf, batches of 512 spans of 2 KB, 8 clients, ${seconds} s`,
      'none refused',
      `${thousands(rate)} spans/s, p50 ${ms(otlp.p50Ms)}, p99 ${ms(otlp.p99Ms)}, ${otlp.refused} refused`,
      `${Math.round((100 * rate) / bulk)} % of ${thousands(bulk)} rows/s that the engine inserts of the same rows, in blocks of 8 MB`,
    ),
    row(
      'CPU time of one core per 1,000 of these spans',
      '',
      `Assay ${perThousand(busyAfter.service - busyBefore.service, otlp.spans)}, ClickHouse with its merges ${perThousand(busyAfter.engine - busyBefore.engine, otlp.spans)}`,
    ),
    row(
      'JSON ingest, one span per request, 32 clients',
      'none refused',
      `${thousands(many.spans / many.seconds)} requests/s, p99 ${ms(many.p99Ms)}, ${many.refused} refused`,
    ),
    row('The same, one client', '', `p50 ${ms(alone.p50Ms)}, p99 ${ms(alone.p99Ms)}`),
    row(
      'Memory after ingestion at full speed',
      '',
      `${memory.service} MB`,
      `the engine: ${memory.engine} MB`,
    ),
  ]
}

const bulkRows = 50_000
const blockBytes = 8 * 1024 * 1024

/** Rows per second that the engine inserts into a table like that of spans, sent by one client. */
async function measureBulkInsert({ clickHouse }: Bench): Promise<number> {
  await clickHouse.execute('CREATE TABLE bulk AS spans')
  const rows = await clickHouse.rows(`SELECT * FROM spans LIMIT ${bulkRows}`, {})
  const lines = rows.map((one) => Buffer.from(`${JSON.stringify(one)}\n`))
  const blocks: Buffer[][] = [[]]
  let bytes = 0
  for (const line of lines) {
    if (bytes > blockBytes) {
      blocks.push([])
      bytes = 0
    }
    blocks.at(-1)?.push(line)
    bytes += line.length
  }
  const startedAt = performance.now()
  for (const block of blocks) await clickHouse.insert('bulk', [Buffer.concat(block)])
  const elapsed = (performance.now() - startedAt) / 1000
  await clickHouse.execute('DROP TABLE bulk')
  return rows.length / elapsed
}

async function growthRows(bench: Bench, reached: readonly number[]): Promise<Row[]> {
  const headers = { 'x-tracing-key': bench.account.tracing_key }
  const work = { kind: 'fill', spans: million, days } as const
  await bench.load({ headers, clients: 6, seconds: 0, work })
  const pieces = await keepSentTraces(bench)
  await addRareTraces(bench)
  const measured = new Map<string, MeasuredSize[]>()
  const disk: string[] = []
  let copies = 1
  for (const size of reached) {
    for (; copies < size; copies += 1) {
      await copyTraces(bench, pieces, copies)
      console.log(`${copies + 1} of ${reached.at(-1)} M spans stored`)
    }
    for (const [what, paths] of Object.entries(await readPaths(bench))) {
      const plan = { headers: bench.account.session, clients: 1, seconds: 5 }
      const outcome = await bench.load({ ...plan, work: { kind: 'read', paths } }).catch(String)
      measured.set(what, [...(measured.get(what) ?? []), { size, outcome }])
      console.log(what, describeSize({ size, outcome }))
    }
    disk.push(await bytesPerSpan(bench, size))
  }
  return [
    ...[...measured].map(([what, outcomes]) => growthRow(what, outcomes)),
    row('Disk', '', disk.join(', ')),
  ]
}

interface MeasuredSize {
  readonly size: number
  /** Or why there is none. */
  readonly outcome: LoadOutcome | string
}

function growthRow(what: string, sizes: readonly MeasuredSize[]): Row {
  const [first, last] = [p50Of(sizes.at(0)), p50Of(sizes.at(-1))]
  const texts = sizes.map(describeSize)
  return row(what, '', texts.join(', '), `${(last / first).toFixed(1)} times the first`)
}

function p50Of(one: MeasuredSize | undefined): number {
  return one === undefined || typeof one.outcome === 'string' ? Number.NaN : one.outcome.p50Ms
}

function describeSize({ size, outcome }: MeasuredSize): string {
  const text =
    typeof outcome === 'string' ? outcome : `${ms(outcome.p50Ms)} (p99 ${ms(outcome.p99Ms)})`
  return `${size} M: ${text}`
}

/** A statement may take a minute. */
const copyPieces = 32

/**
 * Keeps the traces that were sent in tables of their own, from which a copy reads each row once, by its key. Returns the
 * conditions for its pieces.
 */
async function keepSentTraces({ clickHouse }: Bench): Promise<string[]> {
  // Those of the ingestion measured before are all newer: copied as often, they would be all that a list starts with.
  const filled = "startsWith(service, 'team-')"
  const rows = await clickHouse.rows(
    `SELECT trace_id FROM traces FINAL WHERE ${filled} ORDER BY trace_id`,
    {},
  )
  const ids = rows.map(([id]) => String(id))
  const perPiece = Math.ceil(ids.length / copyPieces)
  const pieces = Array.from({ length: copyPieces }, (_, n) => {
    const [first, last] = [ids[n * perPiece], ids.slice(n * perPiece, (n + 1) * perPiece).at(-1)]
    return `WHERE trace_id >= '${first}' AND trace_id <= '${last}'`
  })
  for (const table of ['spans', 'traces']) {
    await clickHouse.execute(`CREATE TABLE sent_${table} AS ${table}`)
    if (table === 'spans') await clickHouse.execute('ALTER TABLE sent_spans DROP INDEX words_index')
    for (const piece of pieces)
      await clickHouse.execute(`INSERT INTO sent_${table} SELECT * FROM ${table} FINAL ${piece}`)
  }
  return pieces
}

/** Copies of the traces that were sent, within the engine; the list and statistics have them as any other. */
async function copyTraces({ clickHouse }: Bench, pieces: readonly string[], number: number) {
  const copied = `* REPLACE (concat(trace_id, '~${number}') AS trace_id)`
  for (const piece of pieces) {
    for (const table of ['spans', 'traces']) {
      // In one SELECT, the condition would be about the new id.
      const sent = `(SELECT * FROM sent_${table} ${piece})`
      await clickHouse.execute(
        `INSERT INTO ${table} SETTINGS max_insert_threads = 2 SELECT ${copied} FROM ${sent}`,
      )
    }
  }
}

const rareWord = 'zygomorphic'

async function addRareTraces({ at, account }: Bench): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const started_at = new Date(Date.now() - n * 86_400_000).toISOString()
    const output = { text: `a ${rareWord} flower` }
    await fetch(`${at.api}/traces/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tracing-key': account.tracing_key },
      body: JSON.stringify({
        trace_id: `rare-${n}`,
        spans: [{ span_id: 'a', name: 'flower', started_at, output }],
      }),
    })
  }
}

async function readPaths({ at, account, project }: Bench) {
  const response = await fetch(`${at.api}${project}/traces?limit=100`, {
    headers: account.session,
  })
  const { data } = (await response.json()) as { data: readonly { readonly trace_id: string }[] }
  const from = new Date(Date.now() - days * 86_400_000).toISOString()
  return {
    'A page of 50 traces': [`${project}/traces`],
    'The same, by status': [`${project}/traces?status=ERROR`],
    'The same, by model': [`${project}/traces?model=house`],
    'One trace of 20 spans with bodies': data.map(
      ({ trace_id }) => `${project}/traces/${encodeURIComponent(trace_id)}`,
    ),
    'Search: a rare word': [`${project}/traces?q=${rareWord}`],
    'Search: a common word': [`${project}/traces?q=search`],
    'Dashboard of 30 days': [`${project}/stats?bucket=day&from=${from}`],
    'Histogram by environment': [`${project}/histogram?environment=staging`],
  }
}

async function bytesPerSpan({ clickHouse }: Bench, size: number): Promise<string> {
  const [found] = await clickHouse.rows(
    "SELECT sum(bytes_on_disk) FROM system.parts WHERE database = 'assay' AND active AND NOT startsWith(table, 'sent_')",
    {},
  )
  const [spans] = await clickHouse.rows('SELECT count() FROM spans', {})
  const [bytes, count] = [Number(found?.[0]), Number(spans?.[0])]
  return `${size} M: ${thousands(bytes / count)} bytes per span of ${thousands(count)}`
}

interface WithProcess {
  readonly process: { readonly pid?: number | undefined }
}

/** CPU time of the processes since their start. */
function busySeconds({ at, stores }: Bench) {
  return { service: cpuSeconds(at), engine: cpuSeconds(stores.clickHouse) }
}

function perThousand(seconds: number, spans: number): string {
  return `${((1000 * seconds) / spans).toFixed(2)} s`
}

const ticksPerSecond = 100

function cpuSeconds({ process: { pid } }: WithProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

function residentMb({ process: { pid } }: WithProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
