import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from '../e2e/running-service.ts'
import type { LoadOutcome, LoadPlan } from './load.ts'
import { ms, type Row, row, thousands, writeSection } from './page.ts'
import { runLoad } from './run-load.ts'
import { readSearchLag, whenSearchable } from './search-lag.ts'

/*
 * The same work with millions of stored spans, spread over 30 days, and during reads. Reports the slowest
 * path of each kind of request.
 */

const days = 30
const rareWord = 'zygomorphic'

interface Bench {
  readonly at: RunningService
  readonly account: SetUpService
  readonly load: (plan: Omit<LoadPlan, 'origin'>) => Promise<LoadOutcome>
  readonly project: string
}

/** Fills a store, measures it, and writes its section. */
export async function measureFilled(spans: number, seconds: number): Promise<void> {
  const at = await runService()
  const account = await setUpService(at)
  const bench: Bench = {
    at,
    account,
    load: (plan) => runLoad({ origin: at.origin, ...plan }),
    project: `/projects/${account.project.id}`,
  }
  const rows = [
    ...(await fill(bench, spans)),
    ...(await ingestRows(bench, seconds)),
    ...(await listRows(bench)),
    ...(await traceRows(bench)),
    ...(await searchRows(bench)),
    ...(await dashboardRows(bench)),
  ]
  await at.stop()
  const about = `${thousands(spans)} spans of 2 KB in traces of 20, spread over ${days} days, stored before the measurement.`
  console.log(writeSection('A full store', about, rows))
}

async function fill({ at, account, load }: Bench, spans: number): Promise<Row[]> {
  const headers = { 'x-tracing-key': account.tracing_key }
  const filled = await load({
    headers,
    clients: 6,
    seconds: 0,
    work: { kind: 'fill', spans, days },
  })
  const lagSeconds = await readSearchLag(at)
  const startedAt = performance.now()
  await whenSearchable(at, 1)
  const caughtUpSeconds = (performance.now() - startedAt) / 1000
  const bytes = statSync(join(at.dataDir, 'telemetry.sqlite')).size
  const search = statSync(join(at.dataDir, 'search.sqlite')).size
  return [
    row(
      `Filling the store, ${(filled.seconds / 60).toFixed(1)} minutes without a break`,
      '>= 25,000 spans/s, none refused',
      `${thousands(filled.spans / filled.seconds)} spans/s, p99 ${ms(filled.p99Ms)}, ${filled.refused} refused`,
      `${(bytes / spans / 1024).toFixed(2)} KB per span, plus ${(search / spans / 1024).toFixed(2)} KB of search index`,
    ),
    row(
      'Search index lag at the end',
      '< 2 s',
      `${lagSeconds.toFixed(1)} s`,
      `${caughtUpSeconds.toFixed(0)} s later it had caught up`,
    ),
  ]
}

async function ingestRows({ account, load, project }: Bench, seconds: number): Promise<Row[]> {
  const headers = { 'x-tracing-key': account.tracing_key }
  const [otlp, reading] = await Promise.all([
    load({ headers, clients: 8, seconds, work: { kind: 'otlp', batchSpans: 512 } }),
    load({
      headers: account.session,
      clients: 1,
      seconds,
      work: { kind: 'read', paths: [`${project}/traces`, `${project}/stats?bucket=hour`] },
    }),
  ])
  const alone = await load({ headers, clients: 1, seconds: 5, work: { kind: 'json' } })
  const many = await load({ headers, clients: 32, seconds: 10, work: { kind: 'json' } })
  return [
    row(
      `OTLP protobuf, batches of 512, 8 clients, ${seconds} s, while one client reads the list and the dashboard continuously`,
      '>= 25,000 spans/s, p99 <= 150 ms, none refused',
      `${thousands(otlp.spans / otlp.seconds)} spans/s, p99 ${ms(otlp.p99Ms)}, ${otlp.refused} refused`,
      `the reader: p50 ${ms(reading.p50Ms)}, p99 ${ms(reading.p99Ms)}`,
    ),
    row(
      'JSON ingest, one span per request, 32 clients',
      '>= 4,000 requests/s',
      `${thousands(many.spans / many.seconds)} requests/s, p99 ${ms(many.p99Ms)}`,
    ),
    row('The same, one client', 'p50 <= 2 ms', `p50 ${ms(alone.p50Ms)}, p99 ${ms(alone.p99Ms)}`),
  ]
}

const filters: readonly (readonly [what: string, query: string])[] = [
  ['no filter', ''],
  ['status', 'status=ERROR'],
  ['environment', 'environment=staging'],
  ['model', 'model=house'],
  ['name', 'name=billing'],
  ['service and kind', 'service=team-1&kind=tool'],
  ['minimum cost and tokens', 'min_cost_usd=0.001&min_tokens=100'],
]

async function listRows({ account, load, project }: Bench): Promise<Row[]> {
  const key = { 'x-tracing-key': account.tracing_key }
  const read = (path: string, seconds: number) =>
    load({ headers: account.session, clients: 1, seconds, work: { kind: 'read', paths: [path] } })
  const ingesting = load({ headers: key, clients: 2, seconds: 26, work: { kind: 'json' } })
  const outcomes = []
  for (const [what, query] of filters) {
    outcomes.push({ what, ...(await read(`${project}/traces?${query}`, 3)) })
  }
  await ingesting
  const slowest = outcomes.toSorted((a, b) => b.p50Ms - a.p50Ms)
  const worst = Math.max(...outcomes.map((one) => one.p99Ms))
  const histogram = await read(`${project}/histogram?environment=staging`, 3)
  return [
    row(
      'A page of 50 traces, by each filter, while ingesting',
      'p50 <= 5 ms, p99 <= 50 ms',
      `p50 ${ms(slowest[0]?.p50Ms ?? 0)} by ${slowest[0]?.what}, p99 at most ${ms(worst)}`,
      slowest.map(({ what, p50Ms }) => `${what} ${ms(p50Ms)}`).join(', '),
    ),
    row('Histogram of all time by environment', '', `p50 ${ms(histogram.p50Ms)}`),
  ]
}

async function traceRows({ at, account, load, project }: Bench): Promise<Row[]> {
  const response = await fetch(`${at.api}${project}/traces?limit=100&environment=staging`, {
    headers: account.session,
  })
  const { data } = (await response.json()) as { data: readonly { readonly trace_id: string }[] }
  const paths = data.map(({ trace_id }) => `${project}/traces/${trace_id}`)
  const work = { kind: 'read', paths } as const
  const trace = await load({ headers: account.session, clients: 1, seconds: 5, work })
  return [row('One trace of 20 spans with bodies', 'p50 <= 3 ms', `p50 ${ms(trace.p50Ms)}`)]
}

async function searchRows({ at, account, load, project }: Bench): Promise<Row[]> {
  for (let n = 0; n < 20; n++) {
    await fetch(`${at.api}/traces/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tracing-key': account.tracing_key },
      body: JSON.stringify({
        trace_id: `rare-${n}`,
        spans: [
          {
            span_id: 'a',
            name: 'flower',
            started_at: new Date(Date.now() - n * 86_400_000).toISOString(),
            output: { text: `a ${rareWord} one, 他们在讨论天气` },
          },
        ],
      }),
    })
  }
  await whenSearchable(at, 1)
  const search = async (words: string) => {
    const paths = [`${project}/traces?q=${encodeURIComponent(words)}`]
    const work = { kind: 'read', paths } as const
    return load({ headers: account.session, clients: 1, seconds: 3, work })
  }
  const texts = {
    'a rare word': rareWord,
    'a common word': 'search',
    Chinese: '天气',
    nothing: 'qqqq',
  }
  const rows = []
  for (const [what, words] of Object.entries(texts)) {
    const outcome = await search(words)
    rows.push(
      row(
        `Search: ${what}`,
        '<= 100 ms (1 M spans)',
        `p50 ${ms(outcome.p50Ms)}, p99 ${ms(outcome.p99Ms)}`,
      ),
    )
  }
  return rows
}

async function dashboardRows({ account, load, project }: Bench): Promise<Row[]> {
  const day = 86_400_000
  const from = new Date(Date.now() - days * day).toISOString()
  const paths = [
    `${project}/stats?bucket=day&from=${from}`,
    `${project}/stats?bucket=hour&from=${from}`,
  ]
  const [scan, others] = await Promise.all([
    load({ headers: account.session, clients: 1, seconds: 6, work: { kind: 'read', paths } }),
    load({
      ...{ headers: account.session, clients: 1, seconds: 6 },
      work: { kind: 'read', paths: ['/orgs'] },
    }),
  ])
  return [
    row(
      'Dashboard of 30 days',
      '<= 200 ms',
      `p50 ${ms(scan.p50Ms)}, p99 ${ms(scan.p99Ms)}`,
      `longest wait of another client meanwhile: ${ms(others.maxMs)}`,
    ),
  ]
}
