import { existsSync } from 'node:fs'
import { isMasterSecret } from './accounts/master-key.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { openLog } from './platform/log.ts'
import { lockDataFolder } from './storage/data-folder.ts'
import { moveStores } from './storage/moving/move-stores.ts'

/*
 * `npm run assay -- data move`: from the data folder to the databases in the settings.
 */

/** Prints progress, and returns lines about what to do next. Throws an error for the operator. */
export async function moveData(
  config: Config,
  print: (line: string) => void,
): Promise<readonly string[]> {
  const { dataDir, databaseUrl, clickHouse, secret } = config
  if (databaseUrl === undefined || secret === undefined) {
    throw new Error(
      'Set ASSAY_DATABASE_URL and ASSAY_SECRET, and ASSAY_CLICKHOUSE_URL to move traces, too: the data folder is moved there.',
    )
  }
  if (clickHouse !== undefined && clickHouse.length > 1) {
    throw new Error(
      'Name one address in ASSAY_CLICKHOUSE_URL for the move. Add the others afterwards: new projects are stored there.',
    )
  }
  if (!existsSync(dataDir)) {
    throw new Error(`There is no folder ${dataDir}. Set ASSAY_DATA_DIR to the one to move.`)
  }
  const folder = lockDataFolder(dataDir)
  try {
    const result = await moveStores({
      ...{ dataDir, databaseUrl, clickHouse: clickHouse?.[0], clock: systemClock, print },
      log: openLog('error', (line) => print(line.trimEnd())),
      checkSecret(canary) {
        if (canary === undefined || isMasterSecret(secret, canary)) return
        throw new Error(
          `ASSAY_SECRET is not the master secret of the data folder. Set it to the first line of ${dataDir}/secret, or to what it was set to; \`npm run assay -- key rotate\` changes it afterwards.`,
        )
      },
    })
    return [...result, ...nextSteps(config)]
  } finally {
    folder.release()
  }
}

function nextSteps({ dataDir, clickHouse }: Config): readonly string[] {
  return clickHouse === undefined
    ? ['Start the service with the same settings. It continues to store traces in the data folder.']
    : [
        `Start the service with the same settings. Keep ${dataDir} as a backup until you have seen it work. No service starts on it again.`,
      ]
}
