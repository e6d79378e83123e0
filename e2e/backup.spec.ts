import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { callWithMeta } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { expect, test } from 'vitest'
import {
  callAs,
  newDataDir,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * `npm run assay -- backup` while the service writes, and a start on what it made.
 */

const command = join(import.meta.dirname, '../server/src/command.ts')

async function backUp(dataDir: string, folder: string): Promise<number | null> {
  const child = spawn(process.execPath, [command, 'backup', folder], {
    env: { ASSAY_DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

/** Sends traces one after the other until it is stopped; resolves with the acknowledged ones. */
function sendUntilStopped({ api }: RunningService, { tracing_key }: SetUpService) {
  const acknowledged: string[] = []
  let isStopped = false
  const sending = (async () => {
    for (let number = 0; !isStopped; number += 1) {
      const spans = [{ span_id: 'a', name: 'word', started_at: new Date().toISOString() }]
      const response = await fetch(api + ingestTrace.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tracing-key': tracing_key },
        body: JSON.stringify({ trace_id: `trace-${number}`, spans }),
      })
      expect(response.status).toBe(202)
      acknowledged.push(`trace-${number}`)
    }
  })()
  return {
    acknowledged,
    async stop() {
      isStopped = true
      await sending
    },
  }
}

async function storedTraces({ api }: RunningService, first: SetUpService) {
  const params = { projectId: first.project.id }
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const args = { params, query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } }
    const { data, meta } = await callWithMeta(api, listTraces, args, { headers: first.session })
    ids.push(...data.map(({ trace_id }) => trace_id))
    cursor = meta.cursor
  }
  return ids
}

test('a backup of a service that is written to has all that was acknowledged before, and starts', async () => {
  const service = await runService()
  const first = await setUpService(service)
  const sender = sendUntilStopped(service, first)
  await expect.poll(() => sender.acknowledged.length).toBeGreaterThan(5)
  const folder = join(newDataDir(), 'backup')
  const before = [...sender.acknowledged]
  expect(await backUp(service.dataDir, folder)).toBe(0)
  const during = sender.acknowledged.length - before.length
  await sender.stop()
  expect(during).toBeGreaterThan(0)
  expect(new Set(await storedTraces(service, first))).toEqual(new Set(sender.acknowledged))
  await service.kill()
  expect(readdirSync(folder).toSorted()).toEqual([
    ...['accounts.sqlite', 'installation.json', 'secret', 'telemetry.sqlite'],
  ])

  const restored = await runService({ dataDir: folder })
  const stored = await storedTraces(restored, first)
  expect(stored).toEqual(expect.arrayContaining(before))
  // The search index was not copied.
  const found = () =>
    callAs(restored, first)(listTraces, {
      params: { projectId: first.project.id },
      query: { q: 'word', limit: 5 },
    })
  await expect.poll(async () => (await found()).length).toBe(5)
  expect(await restored.stop()).toBe(0)
  expect(restored.log()).toBe('')
})
