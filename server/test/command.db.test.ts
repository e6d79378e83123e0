import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../src/run-command.ts'
import { lockDataFolder } from '../src/storage/data-folder.ts'
import { type EmptyDatabase, emptyDatabase, engines } from './accounts-database.ts'

const script = join(import.meta.dirname, '../src/command.ts')

let database: EmptyDatabase
afterEach(() => database.remove())

interface Ended {
  readonly code: number | null
  readonly lines: readonly string[]
  readonly complaint: string
}

/** Runs a command as the process of the command line does. */
async function assay(...args: readonly string[]): Promise<Ended> {
  const [lines, complaints] = [[] as string[], [] as string[]]
  const code = await runCommand(args, {
    environment: settings(),
    print: (line) => lines.push(line),
    complain: (line) => complaints.push(`${line}\n`),
  })
  return { code, lines, complaint: complaints.join('') }
}

/** Runs the command line as an operator does. */
async function assayAsProcess(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [script, ...args], {
    // Cached, so that the script is compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.cache/node'), ...settings() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, complaint] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, lines: out.split('\n').slice(0, -1), complaint }
}

/** Runs the command line with a reader that closes its end before anything was written. */
async function assayUnread(...args: readonly string[]) {
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(process.execPath, [script, ...args], { env: settings(), stdio: [...stdio] })
  child.stdout.destroy()
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, complaint }
}

function settings() {
  const { dataDir, databaseUrl } = database.location
  return {
    ASSAY_DATA_DIR: dataDir,
    ...(databaseUrl === undefined
      ? {}
      : { ASSAY_DATABASE_URL: databaseUrl, ASSAY_SECRET: 'x'.repeat(32) }),
  }
}

const addBoss = () => assay('user', 'add', 'boss@x.org', 'The Boss', '--super-admin')

describe.each(engines)('the command line with accounts in %s', (engine) => {
  beforeEach(async () => {
    database = await emptyDatabase(engine)
  })

  test('is a process of its own, which prints, complains and ends with a code', async () => {
    const added = await assayAsProcess('user', 'add', 'boss@x.org', 'The Boss', '--super-admin')
    expect(added).toMatchObject({ code: 0, complaint: '' })
    expect(added.lines[1]).toMatch(/^http:\/\/localhost:4600\/choose-password#token=/)
    expect(await assayAsProcess('user', 'disable', 'nobody@x.org')).toEqual({
      code: 1,
      lines: [],
      complaint: 'There is no account for nobody@x.org.\n',
    })
    expect((await assay('user', 'list')).lines).toEqual(['boss@x.org\tThe Boss\tsuper admin'])
  })

  test('adds users and lists them; the first must be a super admin', async () => {
    const early = await assay('user', 'add', 'ana@x.org', 'Ana')
    expect(early).toEqual({
      code: 1,
      lines: [],
      complaint: 'The first person must be a super admin.\n',
    })
    const added = await addBoss()
    expect(added.code).toBe(0)
    expect(added.lines[1]).toMatch(
      /^http:\/\/localhost:4600\/choose-password#token=[A-Za-z0-9_-]{43}$/,
    )
    expect((await assay('user', 'add', 'Ana@X.org', 'Ana')).code).toBe(0)
    expect(await assay('user', 'add', 'ana@x.org', 'Again')).toMatchObject({
      code: 1,
      complaint: 'ana@x.org already has an account.\n',
    })
    expect((await assay('user', 'list')).lines).toEqual([
      'Ana@X.org\tAna',
      'boss@x.org\tThe Boss\tsuper admin',
    ])
    expect((await assay('user', 'list', 'BOSS')).lines).toHaveLength(1)
  })

  test('changes users by the same rules as the pages, with audit events', async () => {
    await addBoss()
    await assay('user', 'add', 'Ana@X.org', 'Ana')
    expect((await assay('user', 'super-admin', 'grant', 'ana@x.org')).lines).toEqual([
      'Ana@X.org\tAna\tsuper admin',
    ])
    expect((await assay('user', 'disable', 'boss@x.org')).lines).toEqual([
      'boss@x.org\tThe Boss\tsuper admin, disabled',
    ])
    expect(await assay('user', 'super-admin', 'revoke', 'ana@x.org')).toMatchObject({
      code: 1,
      complaint: 'The service keeps at least one super admin.\n',
    })
    expect((await assay('user', 'enable', 'boss@x.org')).code).toBe(0)
    expect(await assay('user', 'disable', 'nobody@x.org')).toMatchObject({
      code: 1,
      complaint: 'There is no account for nobody@x.org.\n',
    })

    const log = await database.query('select action, actor_kind from audit_log order by id')
    expect(log.map(({ action }) => action)).toEqual([
      'user.created',
      'password.link_made',
      'user.created',
      'password.link_made',
      'super_admin.granted',
      'user.disabled',
      'user.enabled',
    ])
    expect(new Set(log.map(({ actor_kind }) => actor_kind))).toEqual(new Set(['command line']))
  })

  test('approves addresses and domains', async () => {
    expect(await assay('access', 'add', '@X.org')).toMatchObject({
      code: 0,
      lines: ['@x.org is approved.'],
    })
    expect((await assay('access', 'add', '@x.org')).code).toBe(1)
    expect(await assay('access', 'add', 'nonsense')).toMatchObject({
      code: 1,
      complaint: 'The address or domain must be an address (ana@x.org) or a domain (@x.org).\n',
    })
    expect((await assay('access', 'list')).lines).toEqual(['@x.org'])
    expect((await assay('access', 'remove', '@X.org')).code).toBe(0)
    expect((await assay('access', 'remove', '@x.org')).code).toBe(1)
    expect(await assay('access', 'list')).toEqual({ code: 0, lines: [], complaint: '' })
  })
})

describe('the command line', () => {
  beforeEach(async () => {
    database = await emptyDatabase('SQLite')
  })

  test('refuses while a process uses the data folder, and explains what to do', async () => {
    const folder = lockDataFolder(database.location.dataDir)
    const ended = await assayAsProcess('user', 'list')
    folder.release()
    expect(ended.code).toBe(1)
    expect(ended.complaint).toBe(
      `The data folder ${database.location.dataDir} is in use by another process. Stop the service first, or use the platform pages.\n`,
    )
    expect((await assayAsProcess('user', 'list')).code).toBe(0)
  })

  test('finishes its work where nobody reads its output, without a complaint', async () => {
    const added = await assayUnread('user', 'add', 'boss@x.org', 'The Boss', '--super-admin')
    expect(added).toEqual({ code: 0, complaint: '' })
    expect((await assay('user', 'list')).lines).toEqual(['boss@x.org\tThe Boss\tsuper admin'])
  })

  test('backs up nothing where PostgreSQL and ClickHouse have everything, and names what does', async () => {
    const complaints: string[] = []
    const backup = join(database.location.dataDir, 'backup')
    const code = await runCommand(['backup', backup], {
      environment: {
        ...settings(),
        ASSAY_DATABASE_URL: 'postgres://127.0.0.1:1/assay',
        ASSAY_SECRET: 'x'.repeat(32),
        ASSAY_CLICKHOUSE_URL: 'http://127.0.0.1:1',
      },
      print: () => {},
      complain: (line) => complaints.push(line),
    })
    expect(code).toBe(1)
    expect(complaints[0]).toMatch(/in PostgreSQL and ClickHouse: back these up \(`pg_dump`/)
    expect(existsSync(backup)).toBe(false)
  })

  test.each([
    'user',
    'user list one two',
    'user add ana@x.org',
    'user remove ana@x.org',
    'user list --all',
  ])('prints the usage for "%s"', async (args) => {
    const ended = await assay(...args.split(' '))
    expect(ended).toMatchObject({ code: 2, lines: [] })
    expect(ended.complaint).toContain('npm run assay -- user list [part]')
  })

  test('prints the usage on request without touching anything', async () => {
    for (const args of [[], ['--help'], ['user', '--help']]) {
      const { code, lines } = await assay(...args)
      expect(code).toBe(0)
      expect(lines).toContain('  npm run assay -- access add <address or @domain>')
    }
  })

  test.each([
    ['backup --help', '  npm run assay -- backup <new folder>'],
    ['user list -h', '  npm run assay -- user list [part]'],
  ])('prints for "%s" the usage of that command only', async (args, usage) => {
    const { code, lines } = await assay(...args.split(' '))
    expect(code).toBe(0)
    expect(lines).toEqual([usage, expect.stringMatching(/^ {6}\S.*\.$/)])
  })

  test('prints the usage of the probe on request, without a key', async () => {
    const { code, lines, complaint } = await assayAsProcess('probe', '--help')
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' })
    expect(lines[0]).toContain('npm run assay -- probe --email <address>')
  })
})
