import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../../platform/clock.ts'
import { toErrorText } from '../../../../platform/error-text.ts'
import type { Log } from '../../../../platform/log.ts'
import type { ClickHouseSettings } from '../../../../platform/store-settings.ts'
import { openAccounts } from '../../../accounts/connect.ts'
import { openConnection } from '../connection.ts'
import { layoutOf } from '../migrations/layout.ts'
import { openClickHouseTelemetry } from '../open-store.ts'
import {
  checkReplicaServers,
  checkReplicas,
  checkServer,
  checkTables,
  type FoundServer,
} from './server-checks.ts'
import {
  checkConcurrency,
  checkIdempotency,
  checkRemoval,
  checkVisibility,
} from './store-checks.ts'
import type { Check, Verification } from './verification.ts'

/*
 * Whether a server or cluster keeps what the telemetry store promises: in a database of its own, which is removed again.
 */

const serverChecks = { version: checkServer, cluster: checkReplicaServers } as const

const storeChecks = {
  tables: checkTables,
  visibility: checkVisibility,
  'concurrent writes': checkConcurrency,
  'idempotency keys': checkIdempotency,
  removal: checkRemoval,
  replicas: checkReplicas,
} as const

/**
 * Runs every check, also after one that fails, except where nothing can follow.
 *
 * @returns how many failed
 */
export async function verifyCluster(
  given: ClickHouseSettings,
  log: Log,
  print: (line: string) => void,
): Promise<number> {
  const settings = { ...given, database: `assay_verify_${randomUUID().replaceAll('-', '_')}` }
  const server = openConnection({ url: settings.url, database: 'default' })
  try {
    const failed = await runAll<FoundServer>(serverChecks, { settings, server }, print)
    if (failed > 0) {
      print(`skipped ${Object.keys(storeChecks).join(', ')}`)
      return failed
    }
    try {
      return await withStores(settings, log, (found) => runAll(storeChecks, found, print))
    } finally {
      const { table } = layoutOf(settings.cluster)
      await server.execute(`DROP DATABASE IF EXISTS ${table(settings.database)} SYNC`)
      print('The database of the checks is removed.')
    }
  } finally {
    await server.close()
  }
}

async function runAll<Found>(
  checks: Readonly<Record<string, Check<Found>>>,
  found: Found,
  print: (line: string) => void,
): Promise<number> {
  let failed = 0
  for (const [name, check] of Object.entries(checks)) {
    try {
      print(`ok      ${name}: ${await check(found)}`)
    } catch (error) {
      failed += 1
      print(`FAILED  ${name}: ${toErrorText(error)}`)
    }
  }
  return failed
}

async function withStores(
  settings: ClickHouseSettings,
  log: Log,
  work: (found: Verification) => Promise<number>,
): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-verify-'))
  const accounts = await openAccounts({ dataDir }, log)
  const { idempotencyRecords, notifications } = accounts
  const open = () =>
    openClickHouseTelemetry({
      ...{ ...settings, idempotencyRecords, notifications, clock: systemClock, log },
    })
  const connection = openConnection(settings)
  const first = await open()
  const second = await open()
  try {
    const projectId = randomUUID()
    return await work({ settings, connection, stores: [first, second], projectId })
  } finally {
    await Promise.all([first.close(), second.close()])
    await connection.close()
    await accounts.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
