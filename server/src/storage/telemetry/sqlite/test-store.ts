import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../../platform/clock.ts'
import { openLog } from '../../../platform/log.ts'
import { openTelemetry } from '../engines.ts'
import type { TelemetryStore } from '../port/store.ts'

/*
 * Stores for the tests of this engine.
 */

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'assay-telemetry-'))
}

/** A folder that is deleted after the test. */
export function folderOfTest(): string {
  const folder = makeFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function openIn(dataDir: string, clock?: Clock): Promise<TelemetryStore> {
  return openTelemetry({
    engine: 'sqlite',
    dataDir,
    log: openLog('error', () => {}),
    onFatal(error) {
      throw error
    },
    ...(clock === undefined ? {} : { clock }),
  })
}

/** A store that is closed after the test, unless the test closed it. */
export async function storeOfTest(dataDir: string, clock?: Clock): Promise<TelemetryStore> {
  const store = await openIn(dataDir, clock)
  onTestFinished(() => store.close())
  return store
}
