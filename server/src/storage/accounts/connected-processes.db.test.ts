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

test.each([
  ['with names of Assay', ''],
  ['with the name in the address', '?application_name=ours'],
])('processes are found while they are connected, %s', async (_name, parameters) => {
  const url = urlWith(parameters)
  await expect(checkNoProcesses(url, silent)).resolves.toBeUndefined()
  const [a, b] = [await startProcess(url), await startProcess(url)]
  await expect(checkNoProcesses(url, silent)).rejects.toThrow(stopAll)
  await a.close()
  await expect(checkNoProcesses(url, silent)).rejects.toThrow(stopAll)
  await b.close()
  await eventually(() => checkNoProcesses(url, silent))
})

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
  await startProcess(urlWith('?application_name=psql'))
  await expect(checkNoProcesses(urlWith(''), silent)).resolves.toBeUndefined()
  await process.close()
  await other.remove()
})
