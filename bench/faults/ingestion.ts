import { gzipSync } from 'node:zlib'
import { callWithMeta } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { exportTraces } from '@assay/contract/otlp.ts'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { ms } from '../page.ts'
import { type Fault, judge, largest, megabytes, quantile, seconds } from './fault.ts'
import { watchHealth } from './health-watch.ts'
import { watchMemory } from './memory.ts'
import { type Rig, withRig } from './rig.ts'

/*
 * Batches that are repeated, collide, or are as large and as hostile as they can be.
 */

const started_at = '2026-11-01T10:00:00Z'

interface Sent {
  readonly status: number
  readonly text: string
  readonly tookMs: number
}

async function send(
  rig: Rig,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const sentAt = performance.now()
  const response = await fetch(rig.service().api + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-tracing-key': rig.owner.tracing_key,
      ...headers,
    },
    body,
  })
  const text = await response.text()
  return { status: response.status, text, tookMs: performance.now() - sentAt }
}

function countStatuses(sent: readonly Sent[]): string {
  const counts = new Map<number, number>()
  for (const { status } of sent) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}

async function spanCountOf(rig: Rig, traceId: string): Promise<number> {
  const args = {
    params: { projectId: rig.owner.project.id, traceId },
    query: { payload: 'none' } as const,
  }
  const { data } = await callWithMeta(rig.service().api, readTrace, args, {
    headers: rig.owner.session,
  })
  return data.span_count
}

const repeatedKeys: Fault = {
  number: 14,
  fault:
    '1,000 Idempotency-Keys, each raced by 50 batches with different spans, one key after a kill -9',
  promise: 'one batch is stored, and all have the first successful response',
  target: 'for 1,000 keys, exactly one effect per key, responses byte-equal',
  async measure({ isQuick }) {
    const [keys, racers] = [isQuick ? 50 : 1000, 50]
    return await withRig({}, async (rig) => {
      const responses = new Map<string, Sent>()
      let [different, refused, wrong] = [0, 0, 0]
      for (let key = 0; key < keys; key++) {
        const race = (racer: number) => {
          const span = { span_id: `racer-${racer}`, name: 'a', started_at }
          const body = JSON.stringify({ trace_id: `key-${key}`, spans: [span] })
          return send(rig, ingestTrace.path, body, { 'idempotency-key': `key-${key}` })
        }
        const sent = await Promise.all(Array.from({ length: racers }, (_, racer) => race(racer)))
        const successful = sent.filter(({ status }) => status === 202)
        refused += sent.length - successful.length
        different += new Set(successful.map(({ text }) => text)).size === 1 ? 0 : 1
        if (successful[0] !== undefined) responses.set(`key-${key}`, successful[0])
      }
      await rig.service().kill()
      await rig.start()
      for (const [key, first] of responses) {
        const span = { span_id: 'after the kill', name: 'a', started_at }
        const body = JSON.stringify({ trace_id: key, spans: [span] })
        const again = await send(rig, ingestTrace.path, body, { 'idempotency-key': key })
        if (again.text !== first.text) different += 1
        if ((await spanCountOf(rig, key)) !== 1) wrong += 1
      }
      const measured = `${keys} keys × ${racers} batches: ${wrong} with other than one effect, ${different} with different responses, also after a kill -9; ${refused} refused`
      return judge(measured, {
        'one effect per key': wrong === 0 && responses.size === keys,
        'equal responses': different === 0,
        'none refused': refused === 0,
      })
    })
  },
}

const oneTrace: Fault = {
  number: 16,
  fault: '64 writers add spans to one trace',
  promise: 'no lost update',
  target: '0 lost, 0 refused',
  async measure({ isQuick }) {
    const [writers, batches] = [64, isQuick ? 5 : 50]
    return await withRig({}, async (rig) => {
      const write = async (writer: number) => {
        const sent: Sent[] = []
        for (let n = 0; n < batches; n++) {
          const span = { span_id: `${writer}-${n}`, name: 'a', started_at }
          const body = JSON.stringify({ trace_id: 'one', spans: [span] })
          sent.push(await send(rig, ingestTrace.path, body))
        }
        return sent
      }
      const all = await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
      const sent = all.flat()
      const stored = await spanCountOf(rig, 'one')
      const tookMs = sent.map((one) => one.tookMs)
      const measured = `${sent.length} batches (${countStatuses(sent)}), ${stored} spans in the trace; p50 ${ms(quantile(tookMs, 0.5))}, p99 ${ms(quantile(tookMs, 0.99))}`
      return judge(measured, { 'all stored': stored === writers * batches })
    })
  },
}

const largeSpans: Fault = {
  number: 18,
  fault:
    '500 spans of 60 KB in a batch; an attribute of 30 MiB; traces of 10,000 and 100,000 spans',
  promise: 'stored, or refused with a declared code; other requests are not held up',
  target:
    '30 MB in 3 s; health within 100 ms; list p95 200 ms; the first page of 10,000 spans in 1.5 s',
  async measure({ isQuick }) {
    return await withRig({}, async (rig) => {
      const health = watchHealth(rig.service())
      const spans = Array.from({ length: 500 }, (_, n) => ({
        ...{ span_id: `s${n}`, name: 'a', started_at, input: 'x'.repeat(60_000) },
      }))
      const wide = await send(rig, ingestTrace.path, JSON.stringify({ trace_id: 'wide', spans }))
      const one = await send(rig, exportTraces.path, otlpAttribute('y'.repeat(30 * 1024 * 1024)))
      const lengths = isQuick ? [10_000] : [10_000, 100_000]
      const built: string[] = []
      for (const length of lengths) built.push(await buildTrace(rig, length))
      const listMs: number[] = []
      for (let n = 0; n < 50; n++) listMs.push(await timed(() => list(rig)))
      const readMs = await timed(() => spanCountOf(rig, 'trace-10000'))
      const healthMs = await health.stop()
      const slowestMs = quantile(healthMs, 0.99)
      const measured = `500 × 60 KB: ${wide.status} in ${seconds(wide.tookMs)}; 30 MiB: ${one.status} in ${seconds(one.tookMs)}; ${built.join('; ')}; health p99 ${ms(slowestMs)}, at most ${ms(largest(healthMs))}; list p95 ${ms(quantile(listMs, 0.95))}; 10,000 spans ${ms(readMs)}`
      return judge(
        measured,
        { 'stored or refused': wide.status === 202 && [200, 413, 400].includes(one.status) },
        {
          '30 MB in 3 s': wide.tookMs <= 3000 && one.tookMs <= 3000,
          'health p99 within 100 ms': slowestMs <= 100,
          'list p95 within 200 ms': quantile(listMs, 0.95) <= 200,
          '10,000 spans in 1.5 s': readMs <= 1500,
        },
      )
    })
  },
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const list = (rig: Rig) =>
  callWithMeta(
    rig.service().api,
    listTraces,
    { params: { projectId: rig.owner.project.id }, query: {} },
    { headers: rig.owner.session },
  )

async function buildTrace(rig: Rig, length: number): Promise<string> {
  const trace_id = `trace-${length}`
  const tookMs = await timed(async () => {
    for (let first = 0; first < length; first += 500) {
      const spans = Array.from({ length: 500 }, (_, n) => ({
        ...{ span_id: `s${first + n}`, name: 'a', started_at },
      }))
      const { status } = await send(rig, ingestTrace.path, JSON.stringify({ trace_id, spans }))
      if (status !== 202) throw new Error(`a batch of ${trace_id} was answered with ${status}`)
    }
  })
  return `${length.toLocaleString('en-US')} spans in batches of 500: ${seconds(tookMs)}`
}

function otlpAttribute(stringValue: string): string {
  const span = {
    ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'a' },
    ...{ startTimeUnixNano: '1793527200000000000', endTimeUnixNano: '1793527201000000000' },
    attributes: [{ key: 'large', value: { stringValue } }],
  }
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
}

const bombs: Fault = {
  number: 19,
  fault: '20 compressed bombs at once, deep and wide JSON, deep protobuf',
  promise: 'refused, and others are not held up',
  target: 'no 500; health within 150 ms; + 400 MB at most; no restart',
  async measure({ isQuick }) {
    return await withRig({}, async (rig) => {
      const memory = watchMemory(rig.service())
      const health = watchHealth(rig.service())
      const zeros = gzipSync(Buffer.alloc(200 * 1024 * 1024))
      const gzip = { 'content-encoding': 'gzip' }
      const protobuf = { 'content-type': 'application/x-protobuf' }
      const wide = `{"trace_id":"a","spans":[${Array.from({ length: 3_000_000 }, () => '{}').join(',')}]}`
      const forms: readonly (() => Promise<Sent>)[] = [
        () => send(rig, exportTraces.path, zeros, gzip),
        () => send(rig, exportTraces.path, zeros, { ...gzip, ...protobuf }),
        () => send(rig, ingestTrace.path, '['.repeat(5_000_000)),
        () => send(rig, ingestTrace.path, wide),
        // Groups and messages in one another: field 1, the rest of the body as its content.
        () => send(rig, exportTraces.path, Buffer.alloc(1_000_000, 0x0b), protobuf),
      ]
      const sent: Sent[] = []
      for (let round = 0; round < (isQuick ? 1 : 5); round++)
        for (const form of forms)
          sent.push(...(await Promise.all(Array.from({ length: 20 }, form))))
      const healthMs = await health.stop()
      const { grewBytes } = memory.stop()
      const isRunning = rig.isRunning()
      const measured = `${sent.length} requests: ${countStatuses(sent)}; health p99 ${ms(quantile(healthMs, 0.99))}, at most ${ms(largest(healthMs))}; + ${megabytes(grewBytes)}`
      const refusals = new Set([400, 413, 429, 503])
      return judge(
        measured,
        {
          'all refused, none with 500': sent.every(({ status }) => refusals.has(status)),
          '+ 400 MB at most': grewBytes <= 400 * 1024 * 1024,
          'no restart': isRunning,
        },
        { 'health p99 within 150 ms': quantile(healthMs, 0.99) <= 150 },
      )
    })
  },
}

export const ingestionFaults: readonly Fault[] = [repeatedKeys, oneTrace, largeSpans, bombs]
