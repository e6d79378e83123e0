import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { openLog } from '../src/platform/log.ts'
import {
  type Accounts,
  type AccountsLocation,
  openAccounts,
} from '../src/storage/accounts/connect.ts'
import { execute } from './postgres-server.ts'

/*
 * A new, empty accounts database on either engine, for suites that both engines must pass.
 */

export const engines = ['SQLite', 'PostgreSQL'] as const
export type Engine = (typeof engines)[number]

export interface EmptyDatabase {
  readonly location: AccountsLocation
  /** Runs a statement that bypasses the code under test. */
  query(statement: string): Promise<readonly Record<string, unknown>[]>
  remove(): Promise<void>
}

export const silent = openLog('error', () => {})

export function emptyDatabase(engine: Engine): Promise<EmptyDatabase> {
  return engine === 'SQLite' ? Promise.resolve(emptyFolder()) : newPostgres('template1')
}

export interface TestAccounts extends EmptyDatabase {
  readonly accounts: Accounts
}

export async function openTestAccounts(engine: Engine): Promise<TestAccounts> {
  // On PostgreSQL, migrations take longer than most tests.
  const database =
    engine === 'SQLite' ? emptyFolder() : await newPostgres(inject('migratedDatabase'))
  const accounts = await openAccounts(database.location, silent)
  return {
    ...database,
    accounts,
    async remove() {
      await accounts.close()
      await database.remove()
    },
  }
}

function emptyFolder(): EmptyDatabase {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-accounts-'))
  return {
    location: { dataDir },
    async query(statement) {
      const database = new DatabaseSync(join(dataDir, 'accounts.sqlite'))
      const rows = database.prepare(statement).all()
      database.close()
      return rows
    },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A copy of the template. */
async function newPostgres(template: string): Promise<EmptyDatabase> {
  const server = inject('postgresUrl')
  const name = `assay_test_${randomBytes(6).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await execute(server, `create database ${name} template ${template}`)
  return {
    location: { dataDir: tmpdir(), databaseUrl: url.href },
    query: (statement) => execute(url.href, statement),
    async remove() {
      await execute(server, `drop database ${name} with (force)`)
    },
  }
}
