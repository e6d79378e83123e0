import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buildPath } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  callAs,
  failedStart,
  newDataDir,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * Data files that are missing, damaged or of another installation: the start is refused with one line, and nothing is
 * created, above all no new set-up.
 */

let used: { readonly dataDir: string; readonly first: SetUpService }
let other: string

beforeAll(async () => {
  used = await usedFolder()
  other = (await usedFolder()).dataDir
})

async function usedFolder() {
  const service = await runService()
  const first = await setUpService(service)
  expect(await send(service, first, 'before')).toBe(202)
  expect(await service.stop()).toBe(0)
  return { dataDir: service.dataDir, first }
}

async function send({ api }: RunningService, { tracing_key }: SetUpService, trace_id: string) {
  const started_at = new Date().toISOString()
  const response = await fetch(api + ingestTrace.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': tracing_key },
    body: JSON.stringify({ trace_id, spans: [{ span_id: 'a', name: 'word', started_at }] }),
  })
  await response.arrayBuffer()
  return response.status
}

function copyOf(dataDir: string): string {
  const copy = newDataDir()
  cpSync(dataDir, copy, { recursive: true })
  return copy
}

/** The hash of every file but the lock and the files that SQLite creates beside a database to read it. */
function contents(dataDir: string) {
  return readdirSync(dataDir, { withFileTypes: true })
    .filter(({ name }) => !/-(?:wal|shm)$|^lock/.test(name))
    .map((entry) => {
      const bytes = entry.isFile() ? readFileSync(join(dataDir, entry.name)) : ''
      return [entry.name, hash('sha256', bytes)]
    })
}

const databases = ['accounts.sqlite', 'telemetry.sqlite'] as const
const remove = (file: string) => rmSync(file)
const empty = (file: string) => truncateSync(file)
const overwriteHeader = (file: string) => {
  const bytes = readFileSync(file)
  writeFileSync(file, Buffer.concat([Buffer.alloc(100, 'x'), bytes.subarray(100)]))
}
const cutInHalf = (file: string) => truncateSync(file, readFileSync(file).length / 2)
const replaceByFolder = (file: string) => {
  rmSync(file)
  mkdirSync(file)
}
const change = (file: string, sql: string) => {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}
const takeFromOther = (file: string, name: string) => cpSync(join(other, name), file)

const zero = 0
const noise = 0xb5
/** Overwrites the first page of a table and of each of its indexes. */
const overwriteTable = (file: string, table: string, byte: number) => {
  const db = new DatabaseSync(file, { readOnly: true })
  const find = 'SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE tbl_name = ?'
  const found = db.prepare(find).all(table)
  db.close()
  const handle = openSync(file, 'r+')
  for (const row of found) {
    const [page, size] = [Number(row['rootpage']), Number(row['page_size'])]
    writeSync(handle, Buffer.alloc(size, byte), 0, size, (page - 1) * size)
  }
  closeSync(handle)
}

type Damage = (file: string, name: string) => void

const faults: readonly (readonly [string, string, Damage, RegExp])[] = [
  ...databases.flatMap((name) => [
    [name, 'is missing', remove, /is missing, but the data folder .* has been used/] as const,
    [name, 'is empty', empty, /is empty, but the data folder .* has been used/] as const,
    [name, 'is of another installation', takeFromOther, /is of another installation/] as const,
    [
      name,
      'has a damaged header',
      overwriteHeader,
      /is damaged \(file is not a database\)/,
    ] as const,
    [name, 'is truncated', cutInHalf, /is damaged \(database disk image is malformed\)/] as const,
    [name, 'is a directory', replaceByFolder, /is a directory, but must be a file/] as const,
  ]),
  ...['tracing_keys', 'audit_log'].flatMap((table) => [
    [
      'accounts.sqlite',
      `has zeros in its table ${table}`,
      (file: string) => overwriteTable(file, table, zero),
      /accounts\.sqlite is damaged \(.*\)\. Restore the whole data folder/,
    ] as const,
    [
      'accounts.sqlite',
      `has other bytes in its table ${table}`,
      (file: string) => overwriteTable(file, table, noise),
      /accounts\.sqlite is damaged \(.*\)\. Restore the whole data folder/,
    ] as const,
  ]),
  ['secret', 'is missing', remove, /is missing or empty, but the accounts database has secrets/],
  ['secret', 'is empty', empty, /is missing or empty, but the accounts database has secrets/],
  ['secret', 'is a directory', replaceByFolder, /is a directory, but must be a file/],
  ['search.sqlite', 'is a directory', replaceByFolder, /is a directory, but must be a file/],
  ['installation.json', 'is empty', empty, /is empty or damaged\. Delete it/],
  ['lock.sqlite', 'has a damaged header', overwriteHeader, /is damaged\. It has no data: delete/],
]

describe('a start on a used folder is refused with one line, and creates nothing, when', () => {
  test.each(faults)('%s %s', async (name, fault, damage, message) => {
    const dataDir = copyOf(used.dataDir)
    damage(join(dataDir, name), name)
    const before = contents(dataDir)
    const { code, errors, output } = await failedStart({ dataDir })
    expect(output).toBe('')
    expect(code).toBe(1)
    expect(errors).toMatch(message)
    const isWithoutTraces = name === 'telemetry.sqlite' && /missing|empty/.test(fault)
    expect(errors.includes('`npm run assay -- data accept-loss`')).toBe(isWithoutTraces)
    expect(errors).toContain(join(dataDir, name))
    expect(errors.trimEnd().split('\n')).toHaveLength(1)
    expect(contents(dataDir)).toEqual(before)
  })

  test('telemetry.sqlite is of a build from before the first release, whose accounts could be migrated', async () => {
    const dataDir = copyOf(used.dataDir)
    change(join(dataDir, 'telemetry.sqlite'), 'PRAGMA user_version = 1')
    change(join(dataDir, 'accounts.sqlite'), 'DELETE FROM migrations')
    const before = contents(dataDir)
    const { code, errors } = await failedStart({ dataDir })
    expect(code).toBe(1)
    expect(errors).toMatch(/^The telemetry file was last used by .* before the first release/)
    expect(contents(dataDir)).toEqual(before)
  })

  test.each(databases)('%s is missing together with installation.json', async (name) => {
    const dataDir = copyOf(used.dataDir)
    for (const lost of [name, 'installation.json']) rmSync(join(dataDir, lost), { force: true })
    const { code, errors } = await failedStart({ dataDir })
    expect([code, errors]).toEqual([1, expect.stringMatching(`${name} is missing, but`)])
    expect(existsSync(join(dataDir, name))).toBe(false)
  })

  test.for([...databases, 'secret', 'lock.sqlite'])(
    '%s may not be read by the user of the service (as root, only where others may read the project)',
    async (name, context) => {
      if (process.getuid?.() === 0 && !mayReadProject(nobody)) {
        return context.skip('the project is below a folder of root')
      }
      const dataDir = copyOf(used.dataDir)
      // Root may read everything.
      const uid = process.getuid?.() === 0 ? nobody : undefined
      makeAccessible(dataDir)
      chmodSync(join(dataDir, name), 0o400)
      if (uid === undefined) chmodSync(join(dataDir, name), 0)
      const { code, errors } = await failedStart({ dataDir, ...(uid === undefined ? {} : { uid }) })
      expect(code).toBe(1)
      expect(errors).toContain(join(dataDir, name))
      expect(errors).toMatch(/Change its owner or mode|Check that the user who runs Assay/)
      expect(errors.trimEnd().split('\n')).toHaveLength(1)
    },
  )
})

test('a telemetry file that is damaged beyond its first pages answers with 503 and a time to retry, and is reported', async () => {
  const dataDir = copyOf(used.dataDir)
  const file = join(dataDir, 'telemetry.sqlite')
  overwriteTable(file, 'traces', zero)
  const service = await runService({ dataDir })
  const params = { projectId: used.first.project.id }
  const list = await fetch(service.api + buildPath(listTraces, params), {
    headers: used.first.session,
  })
  await list.arrayBuffer()
  expect([list.status, list.headers.get('retry-after')]).toEqual([503, '60'])
  await expectReported(service, 'the telemetry file is damaged', file)
  expect(await send(service, used.first, 'refused')).toBe(503)
  expect(await service.stop()).toBe(0)
})

test('spans for a damaged part of the telemetry file are answered with 503, also when nothing was read before', async () => {
  const dataDir = copyOf(used.dataDir)
  overwriteTable(join(dataDir, 'telemetry.sqlite'), 'traces', zero)
  const service = await runService({ dataDir })
  expect(await send(service, used.first, 'before')).toBe(503)
  expect(await service.stop()).toBe(0)
})

describe('while the service runs, an accounts file whose keys are overwritten with', () => {
  test.each([
    ['zeros', zero],
    ['other bytes', noise],
  ])(
    '%s answers exporters and people with 503 and a time to retry, and is reported',
    async (_with, byte) => {
      const dataDir = copyOf(used.dataDir)
      const file = join(dataDir, 'accounts.sqlite')
      const service = await runService({ dataDir })
      overwriteTable(file, 'tracing_keys', byte)
      const answer = async (
        path: string,
        headers: Readonly<Record<string, string>>,
        body?: string,
      ) => {
        const method = body === undefined ? 'GET' : 'POST'
        const response = await fetch(service.api + path, { method, headers, body: body ?? null })
        await response.arrayBuffer()
        return [response.status, response.headers.get('retry-after')]
      }
      const json = { 'content-type': 'application/json' }
      const otlp = (tracing_key: string) =>
        answer('/traces', { ...json, authorization: `Bearer ${tracing_key}` }, '{}')
      expect(await otlp(used.first.tracing_key)).toEqual([503, '60'])
      await expectReported(service, 'the accounts file is damaged', file)
      expect(await otlp(used.first.tracing_key.replace(/.$/, 'f'))).toEqual([503, '60'])
      expect(await send(service, used.first, 'refused')).toBe(503)
      const list = buildPath(listTraces, { projectId: used.first.project.id })
      expect(await answer(list, used.first.session)).toEqual([503, '60'])
      expect(await service.stop()).toBe(0)
      expect(tracesIn(dataDir)).toEqual(['before'])
    },
  )
})

async function expectReported(service: RunningService, message: string, file: string) {
  const readiness = async () => {
    const response = await fetch(`${service.origin}/readyz`)
    return [response.status, await response.text()]
  }
  await expect.poll(readiness).toEqual([503, 'not ready: A data file is damaged.\n'])
  const line = service
    .log()
    .split('\n')
    .find((one) => one.includes(message))
  expect(line).toContain(file)
  expect(line).toContain('Restore the whole data folder from a backup')
}

function tracesIn(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, 'telemetry.sqlite'), { readOnly: true })
  const rows = db.prepare('SELECT trace_id FROM traces').all()
  db.close()
  return rows.map((row) => row['trace_id'])
}

const nobody = 65_534

function mayReadProject(uid: number): boolean {
  return spawnSync(process.execPath, ['--version'], { uid }).status === 0
}

function makeAccessible(dataDir: string): void {
  chmodSync(dataDir, 0o777)
  for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o666)
}

describe('a used folder starts with everything that was in it when', () => {
  test.each<[string, Damage]>([
    ['search.sqlite is missing', (dataDir) => rmSync(join(dataDir, 'search.sqlite'))],
    ['search.sqlite is damaged', (dataDir) => overwriteHeader(join(dataDir, 'search.sqlite'))],
    [
      'search.sqlite is of another installation',
      (dataDir) => takeFromOther(join(dataDir, 'search.sqlite'), 'search.sqlite'),
    ],
    [
      'installation.json alone is missing',
      (dataDir) => rmSync(join(dataDir, 'installation.json'), { force: true }),
    ],
  ])('%s', async (_fault, damage) => {
    const dataDir = copyOf(used.dataDir)
    damage(dataDir, '')
    const service = await runService({ dataDir })
    expect(service.link).toBe(service.origin)
    const params = { projectId: used.first.project.id }
    const found = () => callAs(service, used.first)(listTraces, { params, query: { q: 'word' } })
    await expect.poll(found).toMatchObject([{ trace_id: 'before' }])
    expect(await service.stop()).toBe(0)
    expect(existsSync(join(dataDir, 'installation.json'))).toBe(true)
  })
})
