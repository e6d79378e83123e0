import { setTimeout as sleep } from 'node:timers/promises'
import { type ChatEvent, joinReply, streamReply } from '@assay/contract/chat-stream.ts'
import { buildPath } from '@assay/contract/client.ts'
import { readEvents } from '@assay/contract/event-stream.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { readTrace, type Trace, watchTraces } from '@assay/contract/traces.ts'
import {
  callAs,
  type RunningService,
  type SetUpService,
  setUpService,
} from '../e2e/running-service.ts'
import { startScaledStores } from '../e2e/scaled-stores.ts'
import { type ScriptedModel, startScriptedModel } from '../server/test/scripted-model.ts'
import { quantile } from './faults/fault.ts'
import { ms, type Row, row, writeSection } from './page.ts'
import { runLoad } from './run-load.ts'

/*
 * `npm run bench -- --live`: three processes on PostgreSQL and the engine of ClickHouse. What one stores is read through
 * the second one at once and arrives on a live page of the third one; a reply that one writes is read in another.
 */

const traces = 100
const pieces = 60
const loadClients = 4

interface Bench {
  readonly writer: RunningService
  readonly reader: RunningService
  /** The one that has the live page. */
  readonly watcher: RunningService
  readonly account: SetUpService
  readonly model: ScriptedModel
}

export async function measureLive(): Promise<void> {
  const stores = await startScaledStores()
  const model = await startScriptedModel()
  try {
    const [writer, reader, watcher] = await Promise.all([
      stores.runService(modelAllowed),
      stores.runService(modelAllowed),
      stores.runService(modelAllowed),
    ])
    const account = await setUpService(writer)
    console.log(
      writeSection(title, about, await measure({ writer, reader, watcher, account, model })),
    )
  } finally {
    await stores.stop()
    await model.close()
  }
}

const modelAllowed = { ASSAY_MODEL_ALLOW_NETWORKS: '127.0.0.1' }
const title = 'Live pages across processes'
const about =
  'Written by `npm run bench -- --live`. Three processes of Assay, PostgreSQL, the engine of ClickHouse (as a library, behind a small server) and the measuring process share one machine.'

async function measure(bench: Bench): Promise<Row[]> {
  const { writer, account } = bench
  await measureTraces(bench, 5)
  const quiet = await measureTraces(bench, traces)
  const headers = { 'x-tracing-key': account.tracing_key }
  const plan = { headers, clients: loadClients, seconds: 30, work: { kind: 'json' } } as const
  const load = runLoad({ origin: writer.origin, ...plan })
  const loaded = await measureTraces(bench, traces / 4)
  const { spans, seconds } = await load
  const reply = await measureReply(bench)
  return [
    traceRow('A trace that one process stores, on a live page of another one', quiet),
    traceRow(
      `The same while ${loadClients} clients send to the first one`,
      loaded,
      `${Math.round(spans / seconds)} requests/s`,
    ),
    row(
      "From the provider's token to the reader of a reply that another process writes",
      'p95 <= 1 s',
      `p50 ${ms(quantile(reply, 0.5))}, p95 ${ms(quantile(reply, 0.95))}`,
    ),
  ]
}

interface Times {
  readonly toResponseMs: number
  readonly toPageMs: number
}

function traceRow(what: string, times: readonly Times[], load = 'quiet'): Row {
  const responses = times.map(({ toResponseMs }) => toResponseMs)
  const pages = times.map(({ toPageMs }) => toPageMs)
  return row(
    what,
    load === 'quiet' ? 'p95 <= 1 s' : '',
    `p50 ${ms(quantile(pages, 0.5))}, p95 ${ms(quantile(pages, 0.95))} from the request`,
    `${load}; the response after p50 ${ms(quantile(responses, 0.5))}, p95 ${ms(quantile(responses, 0.95))}; ${times.length} of ${times.length} readable through the third process with the response`,
  )
}

async function measureTraces(bench: Bench, count: number): Promise<readonly Times[]> {
  const { writer, reader, watcher, account } = bench
  const params = { projectId: account.project.id }
  const page = await openPage(watcher.api + buildPath(watchTraces, params), account)
  const read = callAs(reader, account)
  const times: Times[] = []
  for (let n = 0; n < count; n += 1) {
    // Not in step with anything that the service does regularly.
    await sleep(500 * Math.random())
    const traceId = `live-${crypto.randomUUID()}`
    const isOnPage = page.until(traceId)
    const startedAt = performance.now()
    await send(writer, account, traceId)
    const toResponseMs = performance.now() - startedAt
    // Throws when it is not there.
    await read(readTrace, { params: { ...params, traceId }, query: {} })
    times.push({ toResponseMs, toPageMs: (await isOnPage) - startedAt })
  }
  await page.close()
  return times
}

/** A live page, which gets what is stored from now on. */
async function openPage(url: string, { session }: SetUpService) {
  const open = new AbortController()
  const response = await fetch(url, { headers: session, signal: open.signal })
  const expected = new Map<string, (atMs: number) => void>()
  const follow = async () => {
    for await (const event of readEvents(response.body!)) {
      const { trace_id: traceId } = JSON.parse(event) as Partial<Trace>
      expected.get(traceId ?? '')?.(performance.now())
    }
  }
  const following = follow().catch(() => undefined)
  return {
    /** Resolves with the time at which the trace arrives. */
    until: (traceId: string) => new Promise<number>((resolve) => expected.set(traceId, resolve)),
    async close() {
      open.abort()
      await following
    },
  }
}

async function send(
  { api }: RunningService,
  account: SetUpService,
  traceId: string,
): Promise<void> {
  const spans = [{ span_id: 'a', name: 'answer', started_at: new Date().toISOString() }]
  const response = await fetch(api + ingestTrace.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': account.tracing_key },
    body: JSON.stringify({ trace_id: traceId, spans }),
  })
  if (response.status !== 202) throw new Error(await response.text())
}

/** From each piece of a reply until somebody who reads it in another process has it. */
async function measureReply({ writer, reader, account, model }: Bench): Promise<number[]> {
  const gates = Array.from({ length: pieces }, () => Promise.withResolvers<void>())
  const parts = gates.flatMap(({ promise }, n) => [{ until: promise }, `[${n}]`])
  model.always(({ body }) => (body['stream'] === true ? { pieces: parts } : { answer: 'A title' }))
  const written = await startReply(writer, account, model)
  const joined = await openReply(
    reader.chatApi + buildPath(joinReply, { messageId: written.messageId }, {}),
    account,
  )
  const times: number[] = []
  let text = ''
  for (const [n, gate] of gates.entries()) {
    await sleep(1000 * Math.random())
    const startedAt = performance.now()
    gate.resolve()
    while (!text.includes(`[${n}]`)) {
      const event = await joined()
      if (event.type === 'text') text += event.delta
    }
    times.push(performance.now() - startedAt)
  }
  await written.end()
  return times
}

async function startReply(at: RunningService, account: SetUpService, model: ScriptedModel) {
  await callAs(at, account)(createModelConfig, {
    params: { orgId: account.organization.id },
    body: {
      ...{ label: 'Scripted', provider: 'openai-compatible', model: 'scripted-1' },
      ...{ base_url: model.url, input_usd_per_mtok: 1, output_usd_per_mtok: 2 },
    },
  })
  const { organization, project } = account
  const message = { org: organization.slug, project: project.slug, message: 'Count.' }
  const body = JSON.stringify(message)
  const next = await openReply(at.chatApi + streamReply.path, account, { method: 'POST', body })
  const start = await next()
  if (start.type !== 'start') throw new Error('The reply does not begin with a start.')
  return {
    messageId: start.message_id,
    async end() {
      while ((await next()).type !== 'done');
    },
  }
}

async function openReply(url: string, { session }: SetUpService, init: RequestInit = {}) {
  const headers = { ...session, 'content-type': 'application/json' }
  const response = await fetch(url, { ...init, headers })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  const events = readEvents(response.body!)
  return async () => JSON.parse(String((await events.next()).value)) as ChatEvent
}
