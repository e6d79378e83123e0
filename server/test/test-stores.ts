import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { type Accounts, openAccounts } from '../src/storage/accounts/connect.ts'
import { openTelemetry, type TelemetryEngine } from '../src/storage/telemetry/engines.ts'
import type { TelemetryStore } from '../src/storage/telemetry/port/store.ts'
import { openTestAccounts, silent } from './accounts-database.ts'

/*
 * The stores of a service for a test: files in a temporary folder or, where `npm run test:long` asks for them, PostgreSQL
 * and ClickHouse, so that the suites of the HTTP interface hold for both.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of ClickHouse for the suite of its store; null to start an engine. */
    givenClickHouseUrl: string | null
    givenClickHouseCluster: string | null
    /** Whether the services of all tests use PostgreSQL and ClickHouse. */
    isScaled: boolean
    /** The address of ClickHouse for the services of all tests; undefined for files. */
    clickHouseUrl: string | undefined
  }
}

export interface TestStores {
  readonly engine: TelemetryEngine
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  /** Without files on the scaled pair. */
  readonly dataDir: string
  /** Runs a statement on the accounts database that bypasses the code under test. */
  query(statement: string): Promise<readonly Record<string, unknown>[]>
  close(): Promise<void>
}

export interface TestStoreOptions {
  readonly readDeadlineMs?: number
}

export async function openTestStores(options: TestStoreOptions = {}): Promise<TestStores> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-service-'))
  const url = inject('clickHouseUrl')
  const stores = await (url === undefined ? inFiles(dataDir, options) : onScaledPair(url, options))
  return {
    ...stores,
    dataDir,
    async close() {
      await stores.telemetry.close()
      await stores.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type OpenedStores = Omit<TestStores, 'dataDir'>

async function inFiles(dataDir: string, options: TestStoreOptions): Promise<OpenedStores> {
  const accounts = await openAccounts({ dataDir }, silent)
  const telemetry = await openTelemetry({
    ...{ engine: 'sqlite', dataDir, log: silent, onFatal: fail },
    ...options,
  })
  // Open all the time: suites that compare every table of many requests would mostly read its schema.
  const database = new DatabaseSync(join(dataDir, 'accounts.sqlite'))
  return {
    ...{ engine: 'sqlite', accounts, telemetry },
    query: openQuery(database),
    async close() {
      database.close()
      await accounts.close()
    },
  }
}

/**
 * Runs statements. What they read is returned again while no other connection has changed the database: each refusal
 * compares every table before and after.
 */
function openQuery(database: DatabaseSync): TestStores['query'] {
  const version = database.prepare('pragma data_version')
  const read = new Map<string, readonly Record<string, unknown>[]>()
  let readVersion: unknown
  return async (statement) => {
    const current = version.get()?.['data_version']
    const isRead = statement.startsWith('select ')
    if (!isRead || current !== readVersion) read.clear()
    readVersion = current
    const rows = read.get(statement) ?? database.prepare(statement).all()
    if (isRead) read.set(statement, rows)
    return rows
  }
}

let opened = 0

async function onScaledPair(url: string, options: TestStoreOptions): Promise<OpenedStores> {
  const { accounts, query, remove } = await openTestAccounts('PostgreSQL')
  opened += 1
  const telemetry = await openTelemetry({
    ...{ engine: 'clickhouse', url, database: `service_${process.pid}_${opened}`, log: silent },
    idempotencyRecords: accounts.idempotencyRecords,
    notifications: accounts.notifications,
    ...options,
  })
  return { engine: 'clickhouse', accounts, telemetry, query, close: remove }
}

function fail(error: unknown): never {
  throw error
}
