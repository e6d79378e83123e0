import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { openLog } from '../../../platform/log.ts'
import { openConnection } from './connection.ts'
import { checkClock } from './server-clock.ts'

const nowMs = Date.UTC(2026, 0, 1)
let serverMs = nowMs
const server = createServer((_request, response) => void response.end(`["${serverMs}"]\n`))
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

test.each([
  [0, undefined],
  [400, undefined],
  [-400, undefined],
  [900, 900],
  [-3_600_000, -3_600_000],
])('a clock that is %i ms behind that of ClickHouse is logged as %s', async (behindMs, logged) => {
  serverMs = nowMs + behindMs
  const { port } = server.address() as AddressInfo
  const connection = openConnection({ url: `http://127.0.0.1:${port}`, database: 'd' })
  const lines: string[] = []
  const log = openLog('warn', (line) => lines.push(line))
  await checkClock(connection, { ...systemClock, now: () => new Date(nowMs) }, log)
  await connection.close()
  expect(lines.map((line) => (JSON.parse(line) as { behindMs: number }).behindMs)).toEqual(
    logged === undefined ? [] : [logged],
  )
})
