import { ingestTrace } from '@assay/contract/ingest.ts'
import { exportTraces } from '@assay/contract/otlp.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePort } from '../server/test/free-port.ts'
import {
  callAs,
  newDataDir,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether `npm run test:long` runs. */
    isLong: boolean
  }
}

/*
 * The service is killed repeatedly under load: acknowledged data survives, and totals agree.
 */

const rounds = inject('isLong') ? 20 : 2
const clients = 6

interface Acknowledged {
  readonly spans: Set<string>
}

const dataDir = newDataDir()
const ledger = new Map<string, Acknowledged>()
let port: number
let service: RunningService
let first: SetUpService

beforeAll(async () => {
  port = await freePort()
  service = await runService({ dataDir, port })
  first = await setUpService(service)
})
afterAll(() => service.kill())

test(`every acknowledged span survives ${rounds} kills under mixed load, and totals are right`, async ({
  annotate,
}) => {
  const readyAfter: number[] = []
  for (let round = 0; round < rounds; round++) {
    const isOver = { value: false }
    // Counted in acknowledgements, so that each round is killed later than the previous one on any machine.
    const killNow = Promise.withResolvers<void>()
    let remaining = 20 + 5 * round
    const onAcknowledged = () => {
      if (--remaining === 0) killNow.resolve()
    }
    const load = Array.from({ length: clients }, (_, client) =>
      keepSending(round, client, isOver, onAcknowledged),
    )
    await Promise.race([killNow.promise, Promise.all(load)])
    await service.kill()
    isOver.value = true
    await Promise.all(load)
    service = await runService({ dataDir, port })
    readyAfter.push(Math.round(service.readyAfterMs))
  }
  expect(ledger.size).toBeGreaterThan(rounds * clients)
  await audit()
  await annotate(
    `${ledger.size} traces acknowledged; ready again after ${Math.max(...readyAfter)} ms at most`,
  )
})

/** One client: sends until the service has stopped, and records what was acknowledged. */
async function keepSending(
  round: number,
  client: number,
  isOver: { value: boolean },
  onAcknowledged: () => void,
): Promise<void> {
  for (let n = 0; !isOver.value; n++) {
    // Three batches share a trace: appending to a trace must survive as well as creating one.
    const trace = hexId(round, client, n - (n % 3), 32)
    const spans = Array.from({ length: 1 + (n % 7) }, (_, k) => hexId(round, client, n * 8 + k, 16))
    const isOtlp = client % 2 === 0
    const response = await (isOtlp ? sendOtlp(trace, spans) : sendJson(trace, spans)).catch(
      () => undefined,
    )
    if (response === undefined) return
    if (response.status !== 200 && response.status !== 202) throw new Error(await response.text())
    const noted = ledger.get(trace) ?? { spans: new Set() }
    for (const span of spans) noted.spans.add(span)
    ledger.set(trace, noted)
    onAcknowledged()
  }
}

function hexId(round: number, client: number, n: number, length: number): string {
  return `${round + 1}f${client}f${n}`.padStart(length, 'a')
}

function sendJson(traceId: string, spanIds: readonly string[]): Promise<Response> {
  const started_at = new Date().toISOString()
  const spans = spanIds.map((span_id) => ({
    span_id,
    name: 'call',
    kind: 'llm',
    tokens_in: 3,
    started_at,
  }))
  return post(ingestTrace.path, { trace_id: traceId, spans })
}

function sendOtlp(traceId: string, spanIds: readonly string[]): Promise<Response> {
  const startTimeUnixNano = `${Date.now()}000000`
  const spans = spanIds.map((spanId) => ({
    traceId,
    spanId,
    name: 'call',
    startTimeUnixNano,
    endTimeUnixNano: startTimeUnixNano,
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: '3' } },
    ],
  }))
  return post(exportTraces.path, { resourceSpans: [{ scopeSpans: [{ spans }] }] })
}

async function post(path: string, body: unknown): Promise<Response> {
  const response = await fetch(service.api + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': first.tracing_key },
    body: JSON.stringify(body),
  })
  await response.clone().arrayBuffer()
  return response
}

async function audit(): Promise<void> {
  const call = callAs(service, first)
  const lost: string[] = []
  const wrong: string[] = []
  for (const [traceId, { spans }] of ledger) {
    const params = { projectId: first.project.id, traceId }
    const trace = await call(readTrace, { params, query: { payload: 'none' } })
    const found = new Set(trace.spans.map((span) => span.span_id))
    for (const span of spans) if (!found.has(span)) lost.push(`${traceId}/${span}`)
    if (trace.span_count !== found.size || trace.tokens_in !== 3 * found.size) wrong.push(traceId)
  }
  expect(lost).toEqual([])
  expect(wrong).toEqual([])
}
