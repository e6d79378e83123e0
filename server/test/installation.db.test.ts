import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newSecret } from '../src/platform/ids.ts'
import { openAccounts } from '../src/storage/accounts/connect.ts'
import { setTelemetryPart } from '../src/storage/accounts/database-identity.ts'
import { lockDataFolder } from '../src/storage/data-folder.ts'
import { acceptLostTraces, accountsPart, openInstallation } from '../src/storage/installation.ts'
import { masterSecrets } from '../src/storage/secret-file.ts'
import { openSharedInstallation } from '../src/storage/shared-installation.ts'
import { openTelemetry } from '../src/storage/telemetry/engines.ts'
import { type EmptyDatabase, emptyDatabase, engines, silent } from './accounts-database.ts'

/*
 * The identity that ties the data folder and the accounts database together, from the first start on.
 */

interface Settings {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
}

let database: EmptyDatabase
let settings: Settings
beforeEach(() => {
  settings = { dataDir: newFolder(), databaseUrl: undefined }
})
afterEach(() => database.remove())

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-installation-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function openOn(engine: (typeof engines)[number]): Promise<void> {
  database = await emptyDatabase(engine)
  settings = { dataDir: newFolder(), databaseUrl: database.location.databaseUrl }
}

/** Opens the stores as a start does, up to the step that `until` interrupts. */
async function start(at: Settings = settings, until?: 'accounts' | 'telemetry'): Promise<void> {
  const folder = lockDataFolder(at.dataDir)
  try {
    const installation = await openInstallation(at, silent)
    const accounts = await openAccounts(at, silent)
    await accounts.close()
    if (until === 'accounts') return
    const telemetry = await openTelemetry({
      ...{ engine: 'sqlite', dataDir: at.dataDir, log: silent },
      onFatal(error) {
        throw error
      },
    })
    await telemetry.close()
    if (until === 'telemetry') return
    await installation.claim([accountsPart(at), 'telemetry.sqlite'])
  } finally {
    folder.release()
  }
}

const listTables = () =>
  database.query("select table_name from information_schema.tables where table_schema = 'public'")

describe.each(engines)('a data folder with accounts in %s', (engine) => {
  beforeEach(() => openOn(engine))

  test.each(['accounts', 'telemetry'] as const)(
    'starts after a first start that was killed when it had created the %s',
    async (step) => {
      await start(settings, step)
      await expect(start()).resolves.toBeUndefined()
      await expect(start()).resolves.toBeUndefined()
    },
  )

  test('of a version without identities is accepted as it is, and is protected from then on', async () => {
    await start(settings, 'telemetry')
    rmSync(join(settings.dataDir, 'installation.json'), { force: true })
    await start()
    rmSync(join(settings.dataDir, 'telemetry.sqlite'))
    await expect(start()).rejects.toThrow(/telemetry\.sqlite is missing, but/)
  })

  test('starts without its traces once their loss is accepted, which is refused while they exist', async () => {
    await start()
    await expect(acceptLostTraces(settings, silent)).rejects.toThrow(/telemetry\.sqlite exists/)
    rmSync(join(settings.dataDir, 'telemetry.sqlite'))
    await expect(start()).rejects.toThrow(/telemetry\.sqlite is missing/)
    await acceptLostTraces(settings, silent)
    await start()
    rmSync(join(settings.dataDir, 'telemetry.sqlite'))
    await expect(start()).rejects.toThrow(/telemetry\.sqlite is missing/)
  })
})

describe('accounts in PostgreSQL', () => {
  beforeEach(() => openOn('PostgreSQL'))

  test('in an empty database are refused beside a used folder, and the database stays empty', async () => {
    await start()
    const used = settings
    await database.remove()
    database = await emptyDatabase('PostgreSQL')
    const { databaseUrl } = database.location
    await expect(start({ ...used, databaseUrl })).rejects.toThrow(
      /^The database in ASSAY_DATABASE_URL is empty, but the data folder .* has been used before/,
    )
    expect(await listTables()).toEqual([])
  })

  test('of another installation are refused', async () => {
    await start()
    const folder = settings.dataDir
    const other = database
    await openOn('PostgreSQL')
    await start()
    await expect(start({ ...settings, dataDir: folder })).rejects.toThrow(
      /ASSAY_DATABASE_URL does not belong to the data folder/,
    )
    await other.remove()
  })

  test('are refused with what to change while the user lacks rights in a used database', async () => {
    await start()
    await database.query('drop role if exists visitor')
    await database.query('create role visitor login')
    const url = Object.assign(new URL(String(settings.databaseUrl)), { username: 'visitor' })
    await expect(start({ ...settings, databaseUrl: url.href })).rejects.toThrow(
      'The accounts database says: permission denied for table installation_identity. The user in ASSAY_DATABASE_URL has to own its database.',
    )
  })

  test('of a used database are refused with a new folder, and nothing is created in it', async () => {
    await start()
    const dataDir = newFolder()
    await expect(start({ ...settings, dataDir })).rejects.toThrow(/telemetry\.sqlite is missing/)
    expect(readdirSync(dataDir)).toEqual(['lock.sqlite'])
    await acceptLostTraces({ ...settings, dataDir }, silent)
    await start({ ...settings, dataDir })
  })

  test('whose traces are in ClickHouse are refused with a folder, in which no loss is accepted either', async () => {
    await start()
    await setTelemetryPart(String(settings.databaseUrl), 'ClickHouse', silent)
    const dataDir = newFolder()
    const inClickHouse = /^The traces of this installation are in ClickHouse\./
    await expect(start({ ...settings, dataDir })).rejects.toThrow(inClickHouse)
    await expect(acceptLostTraces({ ...settings, dataDir }, silent)).rejects.toThrow(inClickHouse)
    expect(readdirSync(dataDir)).toEqual(['lock.sqlite'])
  })

  test('are not replaced by new ones in the folder when the setting is forgotten', async () => {
    await start()
    const forgotten = { ...settings, databaseUrl: undefined }
    await expect(start(forgotten)).rejects.toThrow(/are in PostgreSQL\. Set ASSAY_DATABASE_URL/)
    rmSync(join(settings.dataDir, 'installation.json'))
    await expect(start(forgotten)).rejects.toThrow(/accounts\.sqlite is missing, but/)
    expect(existsSync(join(settings.dataDir, 'accounts.sqlite'))).toBe(false)
  })

  test('whose traces are in a folder are refused with ClickHouse, which is not contacted', async () => {
    await start()
    const { databaseUrl = '' } = settings
    const clickHouse = [{ url: 'http://127.0.0.1:1', database: 'assay', cluster: undefined }]
    const opening = openSharedInstallation({ databaseUrl, clickHouse }, silent)
    await expect(opening).rejects.toThrow(/^The traces of this installation are in a data folder,/)
    await expect(start()).resolves.toBeUndefined()
  })

  test('do not replace those in the folder', async () => {
    const { databaseUrl } = settings
    await start({ ...settings, databaseUrl: undefined })
    await expect(start()).rejects.toThrow(/in its file accounts\.sqlite, not in PostgreSQL/)
    rmSync(join(settings.dataDir, 'installation.json'))
    await expect(start({ ...settings, databaseUrl })).rejects.toThrow(
      /If they were, move accounts\.sqlite out of the folder/,
    )
    expect(await listTables()).toEqual([])
  })
})

test('a folder of which accounts.sqlite alone was created by a command is not created again', async () => {
  await openOn('SQLite')
  const folder = lockDataFolder(settings.dataDir)
  const installation = await openInstallation(settings, silent)
  const accounts = await openAccounts(settings, silent)
  await accounts.close()
  await installation.claim(['accounts.sqlite'])
  folder.release()
  const copy = newFolder()
  cpSync(settings.dataDir, copy, { recursive: true })
  await start()
  rmSync(join(copy, 'accounts.sqlite'))
  await expect(start({ ...settings, dataDir: copy })).rejects.toThrow(/accounts\.sqlite is missing/)
})

test('a lost secret file is not replaced while the accounts have secrets', async () => {
  await openOn('SQLite')
  const { dataDir } = settings
  const without = { dataDir, secret: undefined, secretPrevious: undefined }
  expect(() => masterSecrets(without, true)).toThrow(/secret is missing or empty/)
  expect(readdirSync(dataDir)).toEqual([])
  const secret = newSecret(32)
  expect(masterSecrets({ ...without, secret }, true)).toEqual([secret])
  const [generated] = masterSecrets(without, false)
  expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe(`${generated}\n`)
})
