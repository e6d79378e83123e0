import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection } from './connection.ts'
import { type BatchTemplate, flavors, jsonBody, otlpBatch } from './span-load.ts'

/*
 * Runs one load scenario in its own process: `node bench/load.ts <plan as JSON>` prints the outcome.
 */

export interface LoadPlan {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly clients: number
  readonly seconds: number
  /** Requests per second over all clients; unlimited by default. */
  readonly perSecond?: number
  readonly work:
    | { readonly kind: 'otlp'; readonly batchSpans: number }
    | { readonly kind: 'fill'; readonly spans: number; readonly days: number }
    | { readonly kind: 'json' }
    | { readonly kind: 'read'; readonly paths: readonly string[] }
}

export interface LoadOutcome {
  readonly requests: number
  readonly spans: number
  readonly seconds: number
  readonly refused: number
  readonly p50Ms: number
  readonly p90Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly responseBytes: number
  /** Status and text of the first response that was no success. */
  readonly firstRefusal?: string
}

interface Sending {
  readonly head: string
  readonly spanCount: number
  body(): Buffer
}

interface Counts {
  spans: number
  refused: number
  responseBytes: number
  firstRefusal?: string
}

if (process.argv[2] !== undefined) {
  console.log(JSON.stringify(await runLoad(JSON.parse(process.argv[2]) as LoadPlan)))
}

async function runLoad(plan: LoadPlan): Promise<LoadOutcome> {
  const latencies: number[] = []
  const counts: Counts = { spans: 0, refused: 0, responseBytes: 0 }
  const startedAt = performance.now()
  const endsAt = startedAt + plan.seconds * 1000
  await Promise.all(
    Array.from({ length: plan.clients }, (_, n) => client(plan, n, endsAt, latencies, counts)),
  )
  latencies.sort((a, b) => a - b)
  const quantile = (q: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(q * latencies.length))] ?? 0
  return {
    ...counts,
    requests: latencies.length,
    seconds: (performance.now() - startedAt) / 1000,
    p50Ms: quantile(0.5),
    p90Ms: quantile(0.9),
    p99Ms: quantile(0.99),
    maxMs: latencies.at(-1) ?? 0,
  }
}

async function client(
  plan: LoadPlan,
  number: number,
  endsAt: number,
  latencies: number[],
  counts: Counts,
): Promise<void> {
  const connection = await openConnection(plan.origin)
  const sendings = toSendings(plan, counts)
  const isDone = () =>
    plan.work.kind === 'fill' ? counts.spans >= plan.work.spans : performance.now() >= endsAt
  const everyMs = plan.perSecond === undefined ? 0 : (1000 * plan.clients) / plan.perSecond
  let nextAt = performance.now()
  for (let n = number; !isDone(); n++) {
    // A delayed client does not catch up: the rate is a limit.
    const waitMs = nextAt - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    nextAt = performance.now() + everyMs
    const sending = sendings[n % sendings.length]
    if (sending === undefined) throw new Error('a plan without work')
    const body = sending.body()
    const sentAt = performance.now()
    const response = await connection.send(sending.head, body)
    latencies.push(performance.now() - sentAt)
    counts.responseBytes = Math.max(counts.responseBytes, response.body.byteLength)
    if (response.status < 300) counts.spans += sending.spanCount
    else {
      counts.refused++
      counts.firstRefusal ??= `${response.status} ${response.body.toString()}`
    }
  }
  connection.close()
}

function toSendings(
  { work, headers }: LoadPlan,
  counts: { readonly spans: number },
): readonly Sending[] {
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  if (work.kind === 'read') {
    const nothing = Buffer.alloc(0)
    return work.paths.map((path) => ({
      head: `GET /api/v1${path} HTTP/1.1\r\n${lines}`,
      spanCount: 0,
      body: () => nothing,
    }))
  }
  if (work.kind === 'json') {
    const head = `POST /api/v1/traces/ingest HTTP/1.1\r\n${lines}content-type: application/json\r\n`
    return [{ head, spanCount: 1, body: jsonBody }]
  }
  const head = `POST /api/v1/traces HTTP/1.1\r\n${lines}content-type: application/x-protobuf\r\n`
  const sending = (batch: BatchTemplate, startMs: () => number): Sending => ({
    head,
    spanCount: batch.spanCount,
    body() {
      batch.renew(startMs())
      return batch.bytes
    },
  })
  if (work.kind === 'otlp') return [sending(otlpBatch(work.batchSpans), Date.now)]
  // In order of time, as the spans would have arrived.
  const firstMs = Date.now() - work.days * 86_400_000
  const at = () => firstMs + (work.days * 86_400_000 * counts.spans) / work.spans
  return flavors.map((flavor) => sending(otlpBatch(520, flavor), at))
}
