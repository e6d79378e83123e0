import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { inject } from 'vitest'
import { openLog } from '../src/platform/log.ts'
import {
  type Accounts,
  type AccountsLocation,
  openAccounts,
} from '../src/storage/accounts/connect.ts'

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
  return engine === 'SQLite' ? Promise.resolve(emptyFolder()) : emptyPostgres()
}

export interface TestAccounts extends EmptyDatabase {
  readonly accounts: Accounts
}

export async function openTestAccounts(engine: Engine): Promise<TestAccounts> {
  const database = await emptyDatabase(engine)
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

async function emptyPostgres(): Promise<EmptyDatabase> {
  const server = inject('postgresUrl')
  const name = `assay_test_${randomBytes(6).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await once(server, `create database ${name}`)
  return {
    location: { dataDir: tmpdir(), databaseUrl: url.href },
    query: (statement) => once(url.href, statement),
    async remove() {
      await once(server, `drop database ${name} with (force)`)
    },
  }
}

async function once(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement)
    return rows
  } finally {
    await client.end()
  }
}
