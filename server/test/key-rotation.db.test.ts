import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { openMasterKey } from '../src/accounts/master-key.ts'
import { newOrganization } from '../src/accounts/organization.ts'
import { newId } from '../src/platform/ids.ts'
import type { SecretBox } from '../src/platform/secret-box.ts'
import { type Accounts, openAccounts } from '../src/storage/accounts/connect.ts'
import { accountsPart, openInstallation } from '../src/storage/installation.ts'
import { masterSecrets } from '../src/storage/secret-file.ts'
import { type EmptyDatabase, emptyDatabase, engines, silent } from './accounts-database.ts'

/*
 * The master secret from first start to rotation, with the operator's commands.
 */

const present = 'the present secret, which is long enough'
const former = 'the former secret, which is long enough'

let database: EmptyDatabase
afterEach(() => database.remove())

function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const { dataDir, databaseUrl } = database.location
  const script = join(import.meta.dirname, '../src', words[0] ?? '')
  return spawn(process.execPath, [script, ...words.slice(1)], {
    env: {
      ASSAY_DATA_DIR: dataDir,
      ...(databaseUrl === undefined ? {} : { ASSAY_DATABASE_URL: databaseUrl }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function ended(child: ChildProcess) {
  let [out, complaint] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    complaint += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, lines: out.split('\n').slice(0, -1), complaint }
}

async function withAccounts<T>(work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const { dataDir, databaseUrl } = database.location
  const location = { dataDir, databaseUrl }
  const installation =
    databaseUrl === undefined ? await openInstallation(location, silent) : undefined
  const accounts = await openAccounts(location, silent)
  await installation?.claim([accountsPart(location)])
  try {
    return await work(accounts)
  } finally {
    await accounts.close()
  }
}

/** Enough to kill a process halfway. */
const many = { SQLite: 2500, PostgreSQL: 1000 } as const
const at = '2026-01-01T00:00:00.000Z'

function toPlace(organizationId: string, rowId: string) {
  return { table: 'sso_configs', column: 'client_secret', organizationId, rowId }
}

/** Organizations with one secret each, equal to the id of its row. */
async function storeSecrets(accounts: Accounts, box: SecretBox, count: number): Promise<void> {
  await accounts.transaction(async (stores) => {
    for (let number = 0; number < count; number += 1) {
      const organization = newOrganization('Acme', newId(), at)
      const id = newId()
      await stores.organizations.insert(organization)
      await stores.sso.insert({
        ...{ id, organization_id: organization.id, protocol: 'oidc', issuer: 'https://idp.test' },
        client_id: 'assay',
        client_secret: box.seal(`secret of ${id}`, toPlace(organization.id, id)),
        ...{ client_secret_set_at: at, idp_entity_id: null, idp_sso_url: null },
        ...{ idp_certificate: null, enforced: 0, default_role: 'Viewer' },
        ...{ created_at: at, updated_at: at },
      })
    }
  })
}

/** The place of the key of a model. */
function toKeyPlace(organizationId: string, rowId: string) {
  return { table: 'model_configs', column: 'api_key', organizationId, rowId }
}

async function storeModelKey(accounts: Accounts, box: SecretBox) {
  const organization = newOrganization('Acme', newId(), at)
  await accounts.organizations.insert(organization)
  const place = toKeyPlace(organization.id, newId())
  await accounts.modelConfigs.insert({
    ...{ id: place.rowId, organization_id: organization.id, label: 'm', provider: 'openai' },
    ...{ model: 'm', base_url: null, api_key: box.seal('key of a model', place) },
    ...{ input_usd_per_mtok: null, output_usd_per_mtok: null, cache_read_usd_per_mtok: null },
    ...{ created_by: null, created_at: at, updated_at: at },
  })
  return place
}

/** Checks that every stored secret decrypts to its original value. */
async function expectReadable(box: SecretBox, count: number): Promise<void> {
  const rows = await database.query('select id, organization_id, client_secret from sso_configs')
  expect(rows).toHaveLength(count)
  for (const row of rows) {
    const [id, organizationId] = [String(row['id']), String(row['organization_id'])]
    const opened = box.open(String(row['client_secret']), toPlace(organizationId, id))
    if (opened !== `secret of ${id}`) throw new Error(`the secret of ${id} has another value`)
  }
}

describe.each(engines)('the master secret with accounts in %s', (engine) => {
  beforeEach(async () => {
    database = await emptyDatabase(engine)
    mkdirSync(database.location.dataDir, { recursive: true })
  })

  test('stops the start with one sentence if it is wrong', async () => {
    await withAccounts((accounts) => openMasterKey([former], accounts))
    const wrong = await ended(run(['command.ts', 'key', 'rotate'], { ASSAY_SECRET: present }))
    expect(wrong).toMatchObject({ code: 1, lines: [] })
    expect(wrong.complaint).toMatch(
      /^The stored secrets cannot be opened with this master secret: .*\n$/,
    )
    expect(wrong.complaint).not.toContain(present)
    await withAccounts(async (accounts) => {
      await expect(openMasterKey([present], accounts)).rejects.toThrow(
        'set ASSAY_SECRET (or the file "secret" in the data folder) to',
      )
      await expect(openMasterKey([present], accounts, false)).rejects.toThrow(
        'set ASSAY_SECRET to the one they were encrypted with',
      )
      await openMasterKey([present, former], accounts)
    })
  })

  // On PostgreSQL the starts of its processes and their many statements take long.
  const isRun = engine === 'SQLite' || inject('isLong')
  test.runIf(isRun)(
    `can be rotated, and killed while rotating, with every secret readable at all times${isRun ? '' : ' (only with npm run test:long)'}`,
    async () => {
      const env = { ASSAY_SECRET: present, ASSAY_SECRET_PREVIOUS: former }
      await withAccounts(async (accounts) => {
        const box = await openMasterKey([former], accounts)
        await storeSecrets(accounts, box, many[engine])
      })
      const rotating = run(['command.ts', 'key', 'rotate'], env)
      let lineCount = 0
      rotating.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        lineCount += chunk.split('\n').length - 1
        if (lineCount >= 2) rotating.kill('SIGKILL')
      })
      await once(rotating, 'close')
      expect(rotating.signalCode).toBe('SIGKILL')
      await withAccounts(async (accounts) => {
        const box = await openMasterKey([present, former], accounts)
        const remaining = await accounts.sealed.countWithout(box.prefix)
        expect(remaining).toBeGreaterThan(0)
        expect(remaining).toBeLessThan(many[engine])
        await expectReadable(box, many[engine])
        await expect(openMasterKey([present], accounts)).rejects.toThrow(/cannot be opened/)
      })

      const again = await ended(run(['command.ts', 'key', 'rotate'], env))
      expect(again).toMatchObject({ code: 0, complaint: '' })
      expect(again.lines.slice(-3, -1)).toEqual([
        'Secrets under a previous master secret: 0',
        expect.stringMatching(/^Done: \d+ encrypted with the current master secret\.$/),
      ])
      await withAccounts(async (accounts) => {
        await expectReadable(await openMasterKey([present], accounts), many[engine])
        await expect(openMasterKey([former], accounts)).rejects.toThrow(/cannot be opened/)
      })
      const log = await database.query(
        `select actor_kind, details from audit_log where action = 'master_key.rotated'`,
      )
      expect(log).toMatchObject([{ actor_kind: 'command line' }])
    },
  )

  test('is rotated for the keys of models too', async () => {
    const env = { ASSAY_SECRET: present, ASSAY_SECRET_PREVIOUS: former }
    const place = await withAccounts(async (accounts) =>
      storeModelKey(accounts, await openMasterKey([former], accounts)),
    )
    expect(await ended(run(['command.ts', 'key', 'rotate'], env))).toMatchObject({ code: 0 })
    await withAccounts(async (accounts) => {
      const box = await openMasterKey([present], accounts)
      const row = await accounts.modelConfigs.find(place.organizationId, place.rowId)
      expect(box.open(row?.api_key ?? '', place)).toBe('key of a model')
    })
  })

  test('is the same for servers that start at the same time', async () => {
    await withAccounts(async (accounts) => {
      const boxes = await Promise.allSettled(
        [present, former, present].map((secret) => openMasterKey([secret], accounts)),
      )
      const prefixes = boxes.map((one) => (one.status === 'fulfilled' ? one.value.prefix : ''))
      expect(new Set(prefixes.filter((one) => one !== '')).size).toBe(1)
    })
  })
})

describe('a master secret generated by the service', () => {
  const settings = () => ({
    dataDir: database.location.dataDir,
    secret: undefined,
    secretPrevious: undefined,
  })
  const file = () => join(database.location.dataDir, 'secret')

  beforeEach(async () => {
    database = await emptyDatabase('SQLite')
  })

  test('is generated once, readable by its owner only', () => {
    const [secret] = masterSecrets(settings())
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(masterSecrets(settings())).toEqual([secret])
    expect(readFileSync(file(), 'utf8')).toBe(`${secret}\n`)
  })

  test('stays readable next to a configured one, which then is the current one', async () => {
    const [retained] = masterSecrets(settings())
    expect(masterSecrets({ ...settings(), secret: present })).toEqual([present, retained])
    expect(masterSecrets({ ...settings(), secret: present, secretPrevious: former })).toEqual([
      present,
      former,
      retained,
    ])
  })

  test('is not generated if one is configured', () => {
    masterSecrets({ ...settings(), secret: present })
    expect(existsSync(file())).toBe(false)
  })

  test('is rotated by the command', async () => {
    const before = masterSecrets(settings())
    await withAccounts(async (accounts) => {
      await storeSecrets(accounts, await openMasterKey(before, accounts), 3)
    })
    const rotated = await ended(run(['command.ts', 'key', 'rotate']))
    expect(rotated).toMatchObject({ code: 0, complaint: '' })
    expect(rotated.lines).toContain('Done: 3 encrypted with the current master secret.')
    const after = masterSecrets(settings())
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
    expect(rotated.lines.join()).not.toContain(after[0])
    await withAccounts(async (accounts) => {
      await expectReadable(await openMasterKey(after, accounts), 3)
    })
  })

  test('is not silently replaced when it is lost', async () => {
    await withAccounts((accounts) => openMasterKey(masterSecrets(settings()), accounts))
    rmSync(file())
    await withAccounts(async (accounts) => {
      await expect(openMasterKey(masterSecrets(settings()), accounts)).rejects.toThrow(
        /cannot be opened/,
      )
    })
  })
})
