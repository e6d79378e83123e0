import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../platform/log.ts'
import { openRequestTurns } from './request-turns.ts'
import { createServer } from './server.ts'
import { serveWebApp } from './web-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-web-'))
const log = openLog('error', () => undefined)
const turns = openRequestTurns()
const app = createServer({ log, endpoints: [], trustProxy: false, turns })
let origin: string

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Assay</title>')
  await serveWebApp(app, folder)
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const refused = { error: { code: 'VALIDATION_ERROR', message: 'The request cannot be read.' } }

/** As a browser does when a person opens an address. */
const open = (path: string) =>
  fetch(origin + path, { headers: { accept: 'text/html,application/xml;q=0.9,*/*;q=0.8' } })

describe('an address that cannot be decoded', () => {
  test.each(['/p/x/traces/%E0%A4%A', '/%', '/p/%zz?range=7d', '/%E0'])(
    'leads a browser to the page of the app: %s',
    async (path) => {
      const response = await open(path)
      expect([response.status, response.url]).toEqual([200, `${origin}/unreadable-address`])
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toContain('<title>Assay</title>')
    },
  )

  test('is refused as JSON within the API', async () => {
    const response = await open('/api/v1/projects/%E0%A4%A')
    expect([response.status, await response.json()]).toMatchObject([400, refused])
  })

  test('is refused as JSON for programs, which request no page', async () => {
    const response = await fetch(`${origin}/p/%E0%A4%A`)
    expect([response.status, await response.json()]).toMatchObject([400, refused])
  })
})

test('a query that cannot be decoded leaves the address as it is', async () => {
  expect((await open('/p/x?q=%E0')).status).toBe(200)
})
