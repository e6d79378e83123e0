import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countJob } from '../../../test/job-runners.ts'
import { execute, type PostgresServer, startPostgres } from '../../../test/postgres-server.ts'
import { openJobRunner } from '../../jobs/runner.ts'
import { openLog } from '../../platform/log.ts'
import { openAccounts } from './connect.ts'

let postgres: PostgresServer
beforeEach(async () => {
  postgres = await startPostgres()
})
afterEach(() => postgres.stop())

test('an outage is one line, its end is another, and repeated work logs no stacks', async () => {
  const lines: { readonly message: string; readonly server?: string }[] = []
  const texts: string[] = []
  const log = openLog('info', (line) => {
    texts.push(line)
    lines.push(JSON.parse(line))
  })
  const databaseUrl = withPassword(postgres.url)
  const accounts = await openAccounts({ dataDir: tmpdir(), databaseUrl }, log)
  const { notifications } = accounts
  // It polls as often as this job.
  const jobs = [countJob({ everyMs: 100 })]
  const runner = openJobRunner({ accounts, jobs, notifications, log })
  try {
    await expect.poll(notifications.isConnected).toBe(true)
    await postgres.crash()
    const messages = () => lines.map(({ message }) => message)
    const countFailures = () => messages().filter((one) => one === 'could not look for due jobs')
    await expect.poll(messages).toContain('PostgreSQL cannot be reached')
    await expect.poll(countFailures).toHaveLength(1)
    for (let n = 0; n < 5; n += 1) await expect(accounts.probe()).rejects.toThrow('reached')
    await postgres.restart()
    await expect.poll(messages).toContain('PostgreSQL can be reached again')
    await expect.poll(notifications.isConnected).toBe(true)

    const { host, pathname } = new URL(databaseUrl)
    const ofState = lines.filter(({ message }) => message.startsWith('PostgreSQL'))
    expect(ofState.map(({ message, server }) => [message, server])).toEqual([
      ['PostgreSQL cannot be reached', `${host}${pathname}`],
      ['PostgreSQL can be reached again', `${host}${pathname}`],
    ])
    expect(countFailures()).toHaveLength(1)
    const all = texts.join('')
    expect(all).not.toContain('\\n    at ')
    expect(all).not.toContain('canary')
  } finally {
    await runner.stop()
    await accounts.close()
  }
})

test('new connections that are refused are one line while open ones respond, and their end is another', async () => {
  const lines: string[] = []
  const log = openLog('warn', (line) => lines.push(JSON.parse(line).message))
  await execute(postgres.url, 'create role assay_user superuser login')
  const databaseUrl = Object.assign(new URL(postgres.url), { username: 'assay_user' }).href
  const accounts = await openAccounts({ dataDir: tmpdir(), databaseUrl }, log)
  const readTwice = () => Promise.allSettled([accounts.probe(), accounts.probe()])
  try {
    await accounts.probe()
    await execute(postgres.url, 'alter role assay_user nologin')
    for (let n = 0; n < 5; n += 1) {
      const statuses = (await readTwice()).map(({ status }) => status)
      expect(statuses).toEqual(['fulfilled', 'rejected'])
    }
    expect(lines).toEqual(['PostgreSQL refuses the service'])
    await execute(postgres.url, 'alter role assay_user login')
    await readTwice()
    expect(lines).toEqual(['PostgreSQL refuses the service', 'PostgreSQL can be reached again'])
  } finally {
    await accounts.close()
  }
})

/** The server does not ask for it. */
function withPassword(address: string): string {
  return Object.assign(new URL(address), { password: 'canary' }).href
}
