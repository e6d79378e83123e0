import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callAs,
  newDataDir,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { hasScaledStores, type ScaledStores, startScaledStores } from './scaled-stores.ts'

/*
 * A service that started on a data folder and continues on PostgreSQL and ClickHouse.
 */

const command = join(import.meta.dirname, '../server/src/command.ts')

describe.runIf(hasScaledStores())('a moved data folder (only where chdb is installed)', () => {
  let stores: ScaledStores
  beforeAll(async () => {
    stores = await startScaledStores()
  })
  afterAll(() => stores.stop())

  async function send(service: RunningService, { tracing_key }: SetUpService, traceId: string) {
    const spans = [{ span_id: 'a', name: 'answer', started_at: '2026-01-01T00:00:00Z' }]
    const response = await fetch(service.api + ingestTrace.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-tracing-key': tracing_key,
        'idempotency-key': traceId,
      },
      body: JSON.stringify({ trace_id: traceId, spans }),
    })
    expect(response.status).toBe(202)
    return await response.text()
  }

  async function move(env: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, [command, 'data', 'move'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk
    })
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, errors }
  }

  test('serves the same people, keys and traces, and refuses to be moved while it is in use', async () => {
    const dataDir = newDataDir()
    const before = await runService({ dataDir })
    const first = await setUpService(before)
    const replies = [await send(before, first, 'one'), await send(before, first, 'two')]
    const query = { params: { projectId: first.project.id }, query: { limit: 10 } }
    const listed = await callAs(before, first)(listTraces, query)
    const secret = readFileSync(join(dataDir, 'secret'), 'utf8').trim()
    const env = { ...stores.env, ASSAY_SECRET: secret, ASSAY_DATA_DIR: dataDir }
    expect(await move(env)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('in use by another process'),
    })
    await before.stop()
    expect(await move(env)).toEqual({ code: 0, errors: '' })

    const after = await stores.runService({ ASSAY_SECRET: secret })
    expect(await callAs(after, first)(listTraces, query)).toEqual(listed)
    expect(await send(after, first, 'one')).toBe(replies[0])
    await send(after, first, 'three')
    const now = await callAs(after, first)(listTraces, query)
    expect(now.map(({ trace_id }) => trace_id).toSorted()).toEqual(['one', 'three', 'two'])
  })
})
