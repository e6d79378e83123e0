import { readdirSync } from 'node:fs'
import { createAlertRule, listAlertRules } from '@assay/contract/alerts.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../server/src/run-command.ts'
import {
  callAs,
  failedStart,
  type RunningService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { hasScaledStores, type ScaledStores, startScaledStores } from './scaled-stores.ts'

/*
 * Three processes on one PostgreSQL and one ClickHouse.
 */

describe.runIf(hasScaledStores())('three processes (only where chdb is installed)', () => {
  let stores: ScaledStores
  let services: readonly RunningService[]
  let first: SetUpService
  const at = (index: number) => services[index] as RunningService

  beforeAll(async () => {
    stores = await startScaledStores()
    services = await Promise.all([stores.runService(), stores.runService(), stores.runService()])
    first = await setUpService({ ...at(0), api: at(1).api })
  })
  afterAll(() => stores.stop())

  async function send(service: RunningService, traceId: string, key?: string): Promise<Response> {
    const started_at = new Date().toISOString()
    const spans = [{ span_id: 'a', name: 'answer', kind: 'llm', started_at, input: 'Hello' }]
    return await fetch(service.api + ingestTrace.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-tracing-key': first.tracing_key,
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify({ trace_id: traceId, spans }),
    })
  }

  test('are one service: what one acknowledges, the next read of another has', async () => {
    const params = { projectId: first.project.id }
    for (const [writer, reader] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      const traceId = `from-${writer}`
      expect((await send(at(writer), traceId)).status).toBe(202)
      const read = callAs(at(reader), first)
      const trace = await read(readTrace, { params: { ...params, traceId }, query: {} })
      expect(trace).toMatchObject({ trace_id: traceId })
      const list = await read(listTraces, { params, query: { limit: 1 } })
      expect(list).toMatchObject([{ trace_id: traceId }])
    }
  })

  test('store a batch with an idempotency key once, whichever of them gets it', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, number) => send(at(number % 3), 'once', 'key-of-once')),
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 202))
    const bodies = await Promise.all(responses.map((response) => response.text()))
    expect(new Set(bodies).size).toBe(1)
  })

  test('send no message to their own databases for somebody who may edit alerts', async () => {
    const params = { projectId: first.project.id }
    const rule = { name: 'Errors', metric: 'error_rate', threshold: 0.5 } as const
    for (const { port } of [new URL(stores.clickHouse.url), new URL(stores.postgres.url)]) {
      const webhook_url = `http://127.0.0.1:${port}/?query=INSERT%20INTO%20t%20FORMAT%20JSONAsString`
      const creating = callAs(at(0), first)(createAlertRule, {
        ...{ params, body: { ...rule, webhook_url } },
      })
      await expect(creating).rejects.toThrow('The address is in a private network.')
    }
    expect(await callAs(at(0), first)(listAlertRules, { params })).toEqual([])
  })

  test('use no data folder', () => {
    for (const { dataDir } of services) expect(readdirSync(dataDir)).toEqual([])
  })

  test('refuse an empty database of ClickHouse or PostgreSQL beside a used one, and leave it unchanged', async () => {
    const { ASSAY_CLICKHOUSE_URL: url = '' } = stores.env
    const lost = await failedStart({ env: { ...stores.env, ASSAY_CLICKHOUSE_URL: `${url}/lost` } })
    expect(lost).toMatchObject({ code: 1, output: '' })
    expect(lost.errors).toContain(
      'The database in ASSAY_CLICKHOUSE_URL is empty, but has been used before. Check the addresses, or restore the databases from a backup',
    )
    const folder = await failedStart({
      env: { ASSAY_DATABASE_URL: stores.postgres.url, ASSAY_SECRET: 'x'.repeat(32) },
    })
    expect(folder.errors).toContain(
      'The traces of this installation are in ClickHouse. Set ASSAY_CLICKHOUSE_URL.',
    )
  })

  test('start without their traces once their loss is accepted, which is refused while they exist or are used', async () => {
    const acceptLoss = async (
      env: Readonly<Record<string, string>>,
      ...words: readonly string[]
    ) => {
      const [lines, complaints] = [[] as string[], [] as string[]]
      const terminal = {
        print: (line: string) => lines.push(line),
        complain: (line: string) => complaints.push(line),
      }
      const args = ['data', 'accept-loss', ...words]
      const code = await runCommand(args, { environment: { ...stores.env, ...env }, ...terminal })
      return { code, lines, complaints }
    }
    const empty = { ASSAY_CLICKHOUSE_URL: `${stores.env['ASSAY_CLICKHOUSE_URL']}/after_loss` }
    expect(await acceptLoss(empty)).toMatchObject({
      code: 1,
      complaints: [expect.stringContaining('Other processes of Assay use the database')],
    })
    await Promise.all(services.map((service) => service.stop()))
    const refused = await acceptLoss({})
    expect(refused.code).toBe(1)
    expect(refused.complaints[0]).toContain('The database in ASSAY_CLICKHOUSE_URL is in use.')
    const address = `${new URL(stores.clickHouse.url).host}/assay`
    const listed = await acceptLoss(empty)
    expect(listed.code).toBe(1)
    expect(listed.complaints[0]).toContain(`data accept-loss ${address}`)
    expect(await acceptLoss(empty, address)).toEqual({
      code: 0,
      lines: [
        `Given up, with its traces, metrics and logs: ${address}`,
        expect.stringContaining('Start all processes with the same ASSAY_CLICKHOUSE_URL'),
      ],
      complaints: [],
    })
    const service = await stores.runService(empty)
    const params = { projectId: first.project.id }
    expect(await callAs(service, first)(listTraces, { params, query: {} })).toEqual([])
  })
})
