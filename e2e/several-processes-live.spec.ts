import { evaluateTraces } from '@assay/contract/bulk-evaluations.ts'
import { type ChatEvent, joinReply, stopReply, streamReply } from '@assay/contract/chat-stream.ts'
import { buildPath, call } from '@assay/contract/client.ts'
import { listEvaluatorCollections } from '@assay/contract/evaluators.ts'
import { readEvents } from '@assay/contract/event-stream.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { readJob } from '@assay/contract/jobs.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { watchTraces } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { execute } from '../server/test/postgres-server.ts'
import { type ScriptedModel, startScriptedModel } from '../server/test/scripted-model.ts'
import { callAs, type RunningService, type SetUpService, setUpService } from './running-service.ts'
import { hasScaledStores, type ScaledStores, startScaledStores } from './scaled-stores.ts'

/*
 * What happens in one of several processes is noticed in the others.
 */

describe.runIf(hasScaledStores())('several processes (only where chdb is installed)', () => {
  let stores: ScaledStores
  let services: readonly RunningService[]
  let first: SetUpService
  let model: ScriptedModel
  const at = (index: number) => services[index] as RunningService

  beforeAll(async () => {
    stores = await startScaledStores()
    model = await startScriptedModel()
    const env = { ASSAY_MODEL_ALLOW_NETWORKS: '127.0.0.1' }
    services = await Promise.all(Array.from({ length: 3 }, () => stores.runService(env)))
    first = await setUpService({ ...at(0), api: at(1).api })
    await callAs(at(0), first)(createModelConfig, {
      params: { orgId: first.organization.id },
      body: {
        ...{ label: 'Scripted', provider: 'openai-compatible', model: 'scripted-1' },
        ...{ base_url: model.url, input_usd_per_mtok: 1, output_usd_per_mtok: 2 },
      },
    })
  }, 120_000)
  afterAll(async () => {
    await stores.stop()
    await model.close()
  })

  async function send(service: RunningService, traceId: string): Promise<void> {
    const spans = [{ span_id: 'a', name: 'answer', started_at: new Date().toISOString() }]
    const response = await fetch(service.api + ingestTrace.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tracing-key': first.tracing_key },
      body: JSON.stringify({ trace_id: traceId, spans }),
    })
    if (response.status !== 202) throw new Error(await response.text())
  }

  async function openEvents<Event>(url: string, init: RequestInit = {}) {
    const headers = { ...first.session, 'content-type': 'application/json' }
    const response = await fetch(url, { ...init, headers })
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
    const events = readEvents(response.body!)
    return async () => JSON.parse(String((await events.next()).value)) as Event
  }

  test('show a trace on a live page, whichever of them stores it', async () => {
    const path = buildPath(watchTraces, { projectId: first.project.id })
    const next = await openEvents<{ trace_id: string }>(at(2).api + path)
    for (const [index, writer] of [0, 1, 2, 0].entries()) {
      const traceId = `live-${index}`
      await send(at(writer), traceId)
      expect(await next()).toMatchObject({ trace_id: traceId })
    }
  })

  test('read a reply that another writes piece by piece, and stop it through a third', async () => {
    const pieces = ['One,', ' two,', ' three,', ' four.']
    const gates = pieces.map(() => Promise.withResolvers<void>())
    model.always(({ body }) =>
      body['stream'] === true
        ? {
            pieces: [
              ...pieces.flatMap((piece, index) => [{ until: gates[index]!.promise }, piece]),
              { ending: 'stall' as const },
            ],
          }
        : { answer: 'A title' },
    )
    const { organization, project } = first
    const message = { org: organization.slug, project: project.slug, message: 'Count.' }
    const written = await openEvents<ChatEvent>(at(0).chatApi + streamReply.path, {
      method: 'POST',
      body: JSON.stringify(message),
    })
    const start = await written()
    if (start.type !== 'start') throw new Error('There is no start.')
    const params = { messageId: start.message_id }
    const joined = await openEvents<ChatEvent>(at(1).chatApi + buildPath(joinReply, params, {}))
    expect(await joined()).toMatchObject({ type: 'start' })
    // Each is read before the next one is written: without notifications, each takes ten seconds.
    for (const [index, piece] of pieces.entries()) {
      gates[index]?.resolve()
      expect(await joined()).toMatchObject({ type: 'text', delta: piece })
    }
    const stopped = await call(at(2).chatApi, stopReply, { params }, { headers: first.session })
    expect(stopped).toEqual({ stopped: true })
    expect(await joined()).toMatchObject({ type: 'done', finish_reason: 'abort' })
    await model.idle()
  }, 20_000)

  test('continue a job within 30 seconds when the process that runs it is killed', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, index) => send(at(1), `t${index}`)))
    const inOrganization = { params: { orgId: first.organization.id } }
    const [collection] = await callAs(at(0), first)(listEvaluatorCollections, inOrganization)
    const body = { collection_id: collection!.id }
    const params = { projectId: first.project.id }
    const { id } = await callAs(at(0), first)(evaluateTraces, { params, body })
    const read = () => callAs(at(1), first)(readJob, { params: { ...params, jobId: id } })
    const worker = async () => {
      const [row] = await execute(stores.postgres.url, `select worker from jobs where id = '${id}'`)
      return row?.['worker']
    }
    await expect
      .poll(async () => (await read()).progress.done, { timeout: 60_000, interval: 20 })
      .toBeGreaterThan(0)
    await at(0).kill()
    const killed = await worker()
    expect(killed).toEqual(expect.any(String))
    expect(await read()).toMatchObject({ state: 'running' })
    await expect.poll(worker, { timeout: 30_000, interval: 250 }).not.toBe(killed)
    const isCompleted = expect.objectContaining({ state: 'completed', problem: null })
    await expect.poll(read, { timeout: 120_000, interval: 250 }).toEqual(isCompleted)
  }, 180_000)
})
