import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabase, silent } from '../../../test/accounts-database.ts'
import { eventually } from '../../../test/eventually.ts'
import {
  openTestNotifications,
  type TestNotifications,
} from '../../../test/postgres-notifications.ts'
import { checkNoProcesses } from './connected-processes.ts'

/*
 * A process that keeps its connection for notifications open, as every service does.
 */

let database: EmptyDatabase
let opened: TestNotifications[]
beforeEach(async () => {
  database = await emptyDatabase('PostgreSQL')
  opened = []
})
afterEach(async () => {
  for (const one of opened) await one.close()
  await database.remove()
})

async function startProcess(url: string, heartbeatMs?: number) {
  const times = heartbeatMs === undefined ? {} : { heartbeatMs }
  const notifications = openTestNotifications(url, times)
  opened.push(notifications)
  notifications.listen('jobs', { onMessage: () => {} })
  await expect.poll(notifications.isConnected).toBe(true)
  return notifications
}

function urlWith(parameters: string): string {
  return `${database.location.databaseUrl}${parameters}`
}

const stopAll = 'Other processes of Assay use the database in ASSAY_DATABASE_URL'

const named = '?application_name=ours'
const pairs = [
  ['', ''],
  [named, named],
  [named, ''],
  ['', named],
  [named, '?application_name=theirs'],
  ['?application_name=', ''],
] as const

test.each(pairs)(
  'processes are found while they are connected, by %j, checked by %j',
  async (ofProcess, ofCheck) => {
    const check = () => checkNoProcesses(urlWith(ofCheck), silent)
    await expect(check()).resolves.toBeUndefined()
    const [a, b] = [await startProcess(urlWith(ofProcess)), await startProcess(urlWith(ofProcess))]
    await expect(check()).rejects.toThrow(stopAll)
    await a.close()
    await expect(check()).rejects.toThrow(stopAll)
    await b.close()
    await eventually(check)
  },
)

test.each(pairs)(
  'a process that has no connection for notifications is found by its pool, by %j, checked by %j',
  async (ofProcess, ofCheck) => {
    const lost = 'postgres://assay@127.0.0.1:1/none'
    const notifications = openTestNotifications(urlWith(ofProcess), {}, lost)
    opened.push(notifications)
    await sql`select 1`.execute(notifications.pool)
    await expect(checkNoProcesses(urlWith(ofCheck), silent)).rejects.toThrow(stopAll)
  },
)

test('a process counts again with each heartbeat, and a connection that does nothing does not', async () => {
  const url = urlWith('')
  // Its first heartbeat is the only one, as if its machine had been lost after it.
  await startProcess(url, 60_000)
  await expect(checkNoProcesses(url, silent)).rejects.toThrow(stopAll)
  await eventually(() => checkNoProcesses(url, silent, 1))
  await startProcess(url, 200)
  for (let checks = 0; checks < 4; checks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await expect(checkNoProcesses(url, silent, 2)).rejects.toThrow(stopAll)
  }
})

test('other programs and other databases do not count', async () => {
  const other = await emptyDatabase('PostgreSQL')
  const process = await startProcess(String(other.location.databaseUrl))
  const program = new Client({ connectionString: urlWith('?application_name=psql') })
  await program.connect()
  await program.query('select 1')
  for (const parameters of ['', '?application_name=psql', '?application_name=p'])
    await expect(checkNoProcesses(urlWith(parameters), silent)).resolves.toBeUndefined()
  await program.end()
  await process.close()
  await other.remove()
})
