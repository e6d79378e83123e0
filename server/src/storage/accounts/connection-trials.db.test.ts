import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { execute, type PostgresServer, startPostgres } from '../../../test/postgres-server.ts'
import { openConnectionTrials } from './connection-trials.ts'

let postgres: PostgresServer
beforeEach(async () => {
  postgres = await startPostgres()
  await execute(postgres.url, 'create role tried nologin')
})
afterEach(() => postgres.stop())

test('connections are tried until one responds, once for several starts, and not after a stop', async () => {
  let responses = 0
  const url = Object.assign(new URL(postgres.url), { username: 'tried' })
  const settings = { connectionString: url.href, connectionTimeoutMillis: 1000 }
  const trials = openConnectionTrials(settings, () => (responses += 1), 50)
  const pause = () => new Promise((resolve) => setTimeout(resolve, 400))
  for (let n = 0; n < 3; n += 1) trials.start()
  await pause()
  expect(responses).toBe(0)
  await execute(postgres.url, 'alter role tried login')
  await eventually(() => expect(responses).toBe(1))
  await pause()
  expect(responses).toBe(1)
  trials.start()
  trials.stop()
  await pause()
  expect(responses).toBe(1)
})
