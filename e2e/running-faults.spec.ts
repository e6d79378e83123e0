import { execFileSync } from 'node:child_process'
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { createOrganization } from '@assay/contract/organizations.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  callAs,
  newDataDir,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * Faults of the data folder while the service runs: not ready, nothing is acknowledged, and what was acknowledged is
 * there afterwards.
 */

let service: RunningService
let first: SetUpService

async function start(dataDir = newDataDir()): Promise<void> {
  service = await runService({ dataDir })
  first = await setUpService(service)
}

async function send(trace_id: string, input = ''): Promise<number> {
  const started_at = new Date().toISOString()
  const response = await fetch(service.api + ingestTrace.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': first.tracing_key },
    body: JSON.stringify({ trace_id, spans: [{ span_id: 'a', name: 'a', started_at, input }] }),
  })
  await response.arrayBuffer()
  return response.status
}

async function readiness(): Promise<readonly [number, string]> {
  const response = await fetch(`${service.origin}/readyz`)
  return [response.status, await response.text()]
}

const stored = async () => {
  const params = { projectId: first.project.id }
  const traces = await callAs(service, first)(listTraces, { params, query: { limit: 100 } })
  return traces.map(({ trace_id }) => trace_id).toSorted()
}

const lost = [503, 'not ready: A data file is missing or was replaced.\n']

describe('in a running service', () => {
  beforeAll(() => start())
  afterAll(() => service.kill())

  test.each([
    'telemetry.sqlite',
    'telemetry.sqlite-wal',
    'accounts.sqlite',
    'lock.sqlite',
    'secret',
  ])(
    'while %s is away, it is not ready and acknowledges nothing, and it recovers when the file is back',
    async (name) => {
      expect([await send(`before ${name}`), await readiness()]).toEqual([202, [200, 'ready\n']])
      const file = join(service.dataDir, name)
      renameSync(file, `${file}.away`)
      await expect.poll(readiness).toEqual(lost)
      expect(await send(`refused ${name}`)).toBe(503)
      renameSync(`${file}.away`, file)
      await expect.poll(readiness).toEqual([200, 'ready\n'])
      await expect.poll(() => send(`after ${name}`)).toBe(202)
      const ofTest = (await stored()).filter((id) => id.endsWith(` ${name}`))
      const others = ofTest.filter((id) => !id.startsWith('refused'))
      expect(others).toEqual([`after ${name}`, `before ${name}`])
    },
  )
})

describe('in a service of its own', () => {
  afterEach(() => service.kill())

  test('spans are never acknowledged into a file that was deleted a moment before', async () => {
    await start()
    rmSync(join(service.dataDir, 'telemetry.sqlite'))
    expect(await send('at once')).toBe(503)
  })

  test('changes of accounts are never acknowledged into a file that was replaced a moment before', async () => {
    await start()
    const file = join(service.dataDir, 'accounts.sqlite')
    cpSync(file, `${file}.copy`)
    renameSync(`${file}.copy`, file)
    const response = await fetch(service.api + createOrganization.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...first.session },
      body: JSON.stringify({ name: 'Other' }),
    })
    expect(response.status).toBe(503)
  })

  test('a full disk makes the service not ready, without a path; with space again it is ready by itself (only as root)', async (context) => {
    const dataDir = newDataDir()
    if (!mounted(dataDir)) return context.skip('only root may make a small disk')
    try {
      await start(dataDir)
      expect(await readiness()).toEqual([200, 'ready\n'])
      const acknowledged = ['before']
      expect(await send('before')).toBe(202)
      const filler = join(dataDir, 'filler')
      expect(() => writeFileSync(filler, Buffer.alloc(80 * 1024 * 1024))).toThrow(/ENOSPC/)
      await expect.poll(readiness).toEqual([503, 'not ready: The disk is full.\n'])
      const large = 'x'.repeat(200_000)
      for (let i = 0; i < 5; i += 1) {
        if ((await send(`full ${i}`, large)) === 202) acknowledged.push(`full ${i}`)
      }
      expect(await stored()).toEqual(acknowledged.toSorted())
      rmSync(filler)
      await expect.poll(readiness).toEqual([200, 'ready\n'])
      expect(await send('with space')).toBe(202)
      expect(await stored()).toEqual([...acknowledged, 'with space'].toSorted())
      expect(await service.stop()).toBe(0)
    } finally {
      await service.kill()
      execFileSync('umount', [dataDir])
    }
  })
})

function mounted(dataDir: string): boolean {
  try {
    const options = ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', dataDir]
    execFileSync('mount', options, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
