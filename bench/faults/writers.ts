import { setTimeout as sleep } from 'node:timers/promises'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { exportTraces } from '@assay/contract/otlp.ts'
import { type Ledger, sentTraceOf, tokensPerSpan } from './ledger.ts'

/*
 * Writers that send JSON and OTLP batches through any fault, and record in a ledger what was acknowledged.
 */

export interface WriterPlan {
  readonly api: string
  readonly tracingKey: string
  readonly ledger: Ledger
  /** Sixteen by default; every other one sends OTLP. */
  readonly writers?: number
  /** The text of each span. */
  readonly input?: string
  /** A pause after each acknowledged batch. */
  readonly pauseMs?: number
}

export interface Writers {
  /** Resolves when every request under way has ended. */
  stop(): Promise<void>
}

const requestTimeoutMs = 30_000
const retryAfterMs = 50

interface Batch {
  readonly traceId: string
  readonly spanIds: readonly string[]
  readonly isOtlp: boolean
}

export function startWriters(plan: WriterPlan): Writers {
  const over = { value: false }
  const writing = Array.from({ length: plan.writers ?? 16 }, (_, writer) =>
    keepSending(plan, writer, over),
  )
  return {
    async stop() {
      over.value = true
      await Promise.all(writing)
    },
  }
}

let nextRun = 1

async function keepSending(plan: WriterPlan, writer: number, over: { value: boolean }) {
  const run = nextRun++
  for (let n = 0; !over.value; n++) {
    const batch: Batch = {
      // Three batches share a trace: appending to a trace must survive as well as creating one.
      traceId: hexId(run, n - (n % 3), 32),
      spanIds: Array.from({ length: 1 + (n % 7) }, (_, k) => hexId(run, n * 8 + k, 16)),
      isOtlp: writer % 2 === 0,
    }
    // Half of the batches are sent until they are acknowledged, as exporters do; the others once.
    const attempts = n % 2 === 0 ? Number.POSITIVE_INFINITY : 1
    await sendBatch(plan, batch, attempts, over)
    if (plan.pauseMs !== undefined) await sleep(plan.pauseMs)
  }
}

async function sendBatch(
  plan: WriterPlan,
  batch: Batch,
  attempts: number,
  over: { readonly value: boolean },
): Promise<void> {
  const { ledger } = plan
  const sent = sentTraceOf(ledger, batch.traceId)
  for (let attempt = 1; ; attempt++) {
    if (await isAcknowledged(plan, batch)) {
      ledger.counts.acknowledged += 1
      ledger.counts.acknowledgedSpans += batch.spanIds.length
      ledger.acknowledgedAt.push(performance.now())
      for (const spanId of batch.spanIds) sent.acknowledged.add(spanId)
      return
    }
    await sleep(retryAfterMs)
    if (attempt >= attempts || over.value) break
  }
  sent.abandoned.push(batch.spanIds)
}

async function isAcknowledged(plan: WriterPlan, batch: Batch): Promise<boolean> {
  const { ledger } = plan
  const sentAt = performance.now()
  try {
    const response = await post(plan, batch)
    if (response.status === 200 || response.status === 202) return true
    ledger.failedAfterMs.push(performance.now() - sentAt)
    if (response.status === 503) {
      ledger.counts.refused += 1
      if (!(Number(response.headers.get('retry-after')) > 0)) ledger.withoutRetryAfter += 1
    } else countUnexpected(ledger, String(response.status))
  } catch (error) {
    ledger.failedAfterMs.push(performance.now() - sentAt)
    const reason = reasonOf(error)
    if (reason === 'ECONNREFUSED') ledger.counts.unreachable += 1
    else if (reason === 'TimeoutError') countUnexpected(ledger, 'no response')
    else ledger.counts.reset += 1
  }
  return false
}

function countUnexpected({ unexpected }: Ledger, what: string): void {
  unexpected.set(what, (unexpected.get(what) ?? 0) + 1)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return error.name
}

async function post(plan: WriterPlan, batch: Batch): Promise<Response> {
  const path = batch.isOtlp ? exportTraces.path : ingestTrace.path
  const response = await fetch(plan.api + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': plan.tracingKey },
    body: JSON.stringify(batch.isOtlp ? otlpBody(batch, plan) : jsonBody(batch, plan)),
    signal: AbortSignal.timeout(requestTimeoutMs),
  })
  await response.arrayBuffer()
  return response
}

/** Lower-case hexadecimal, as OTLP requires. */
function hexId(run: number, n: number, length: number): string {
  return `${run}f${n}`.padStart(length, 'a')
}

function jsonBody({ traceId, spanIds }: Batch, { input }: WriterPlan) {
  const started_at = new Date().toISOString()
  const spans = spanIds.map((span_id) => ({
    ...{ span_id, name: 'call', kind: 'llm', tokens_in: tokensPerSpan, started_at, input },
  }))
  return { trace_id: traceId, spans }
}

function otlpBody({ traceId, spanIds }: Batch, { input }: WriterPlan) {
  const startTimeUnixNano = `${Date.now()}000000`
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  const spans = spanIds.map((spanId) => ({
    ...{ traceId, spanId, name: 'call' },
    ...{ startTimeUnixNano, endTimeUnixNano: startTimeUnixNano },
    attributes: [
      text('gen_ai.operation.name', 'chat'),
      { key: 'gen_ai.usage.input_tokens', value: { intValue: String(tokensPerSpan) } },
      ...(input === undefined ? [] : [text('input.value', input)]),
    ],
  }))
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] }
}
