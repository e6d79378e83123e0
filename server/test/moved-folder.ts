import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openMasterKey } from '../src/accounts/master-key.ts'
import { runCommand } from '../src/run-command.ts'
import { openAccounts } from '../src/storage/accounts/connect.ts'
import { openInstallation } from '../src/storage/installation.ts'
import { openTelemetry } from '../src/storage/telemetry/engines.ts'
import type { TelemetryStore } from '../src/storage/telemetry/port/store.ts'
import { silent } from './accounts-database.ts'
import { addAnyRows } from './any-account-rows.ts'

/*
 * Data folders as a service leaves them, and the command that moves them.
 */

export const masterSecret = 'm'.repeat(40)

/** A folder that is deleted after the test, with rows in every table of accounts. */
export async function usedFolder(
  fill: (telemetry: TelemetryStore) => Promise<void> = async () => {},
): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-moved-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const settings = { dataDir, databaseUrl: undefined }
  const installation = await openInstallation(settings, silent)
  const accounts = await openAccounts(settings, silent)
  await openMasterKey([masterSecret], accounts)
  const telemetry = await openTelemetry({
    ...{ engine: 'sqlite', dataDir, log: silent },
    onFatal(error) {
      throw error
    },
  })
  await installation.claim(['accounts.sqlite', 'telemetry.sqlite'])
  await fill(telemetry)
  await telemetry.close()
  await accounts.close()
  addAnyRows(join(dataDir, 'accounts.sqlite'))
  return dataDir
}

export interface Ended {
  readonly code: number
  readonly lines: readonly string[]
  readonly complaint: string
}

export async function moveData(environment: Readonly<Record<string, string>>): Promise<Ended> {
  const [lines, complaints] = [[] as string[], [] as string[]]
  const code = await runCommand(['data', 'move'], {
    environment,
    print: (line) => lines.push(line),
    complain: (line) => complaints.push(line),
  })
  return { code, lines, complaint: complaints.join('\n') }
}

/** Differ when a file of the source does. */
export function hashesOf(dataDir: string): readonly string[] {
  return ['accounts.sqlite', 'telemetry.sqlite'].map((name) =>
    createHash('sha256')
      .update(readFileSync(join(dataDir, name)))
      .digest('hex'),
  )
}
