import { expect, test } from 'vitest'
import { findProblem } from './cluster.ts'
import { createDatabase, migrate, migrationStatements } from './migrate.ts'

const textOf = (cluster?: string) => `${migrationStatements(cluster).flat().join(';\n\n')};\n`

test('the tables of a cluster are those that were reviewed', async () => {
  await expect(textOf('assay')).toMatchFileSnapshot('./migrations/tables-of-cluster.sql')
})

test('the tables of a cluster differ from those of one server in where they are, and in nothing else', () => {
  const onOneServer = textOf('assay')
    .replaceAll(" ON CLUSTER 'assay'", '')
    .replaceAll(/Replicated(\w+)\('[^']+', '\{replica\}'(?:, )?/g, '$1(')
    .replaceAll('MergeTree()', 'MergeTree')
    .replaceAll(', replicated_deduplication_window = 0', '')
  expect(onOneServer).toBe(textOf())
})

/** The ALTER statements whose result is not in the CREATE of their table. */
function missingInCreate(statements: readonly string[]): readonly string[] {
  const form = /^ALTER TABLE (\w+)[^\n]*\s+ADD (INDEX|COLUMN) IF NOT EXISTS ([^\n]+)$/
  return statements.filter((text) => {
    if (!text.startsWith('ALTER')) return false
    const [, table = '', kind, definition = ''] = form.exec(text) ?? []
    const create = statements.find((one) => one.startsWith(`CREATE TABLE IF NOT EXISTS ${table} `))
    const line = kind === 'INDEX' ? `INDEX ${definition}` : definition
    return table === '' || create?.includes(`\n    ${line}`) !== true
  })
}

test('what migrations add to a table is also in its CREATE, with which added servers join', () => {
  expect(missingInCreate(migrationStatements('assay').flat())).toEqual([])
  const create =
    'CREATE TABLE IF NOT EXISTS t ON CLUSTER c\n(\n    a String,\n    INDEX i a TYPE minmax\n)'
  const alter = (what: string) => `ALTER TABLE t ON CLUSTER c\n${what}`
  const kept = alter('ADD INDEX IF NOT EXISTS i a TYPE minmax')
  const lost = ['ADD COLUMN IF NOT EXISTS b String', 'DROP COLUMN a'].map(alter)
  expect(missingInCreate([create, kept, ...lost])).toEqual(lost)
})

test('a cluster is used if all of its servers have all traces', () => {
  expect(findProblem(1, 'c')).toBeUndefined()
  expect(findProblem(0, 'c')).toContain(
    'no cluster with the name c. Check ASSAY_CLICKHOUSE_CLUSTER',
  )
  expect(findProblem(3, 'c')).toContain('has 3 shards')
})

const cluster = 'main'
const statements = migrationStatements(cluster)
const all = statements.flat()
const newest = statements.length - 1

/** A server with the tables of the first `applied` migrations; undefined: without a database. */
function openServer(applied?: number) {
  const waitedFor: string[] = []
  const queued: string[] = []
  const inserted: unknown[] = []
  const connection = {
    rows: async (text: string) =>
      text.startsWith('EXISTS') ? [[applied === undefined ? 0 : 1]] : [[applied ?? 0]],
    execute: async (text: string) => void waitedFor.push(text),
    queueOnCluster: async (text: string) => void queued.push(text),
    insertRows: async (_into: string, rows: readonly unknown[]) => void inserted.push(...rows),
  }
  return { connection, waitedFor, queued, inserted }
}

const start = async ({ connection }: ReturnType<typeof openServer>, on?: string) => {
  await createDatabase(connection, 'assay', on)
  await migrate(connection, on)
}

test('the first process waits until all servers of the cluster have the tables', async () => {
  const server = openServer()
  await start(server, cluster)
  expect(server.waitedFor.slice(1)).toEqual(all)
  expect(server.queued).toEqual([])
  expect(server.inserted).toEqual(Array.from({ length: newest }, (_, index) => [index + 1]))
})

test('a later one repeats what creates them for added servers, and waits for no server that is down', async () => {
  const server = openServer(newest)
  await start(server, cluster)
  expect(server.waitedFor).toEqual([])
  expect(server.queued.slice(1)).toEqual(all)
  expect(server.inserted).toEqual([])
})

test('a newer version waits for its own migrations only', async () => {
  const server = openServer(newest - 1)
  await start(server, cluster)
  expect(server.waitedFor).toEqual(statements.at(-1))
  expect(server.queued.slice(1)).toEqual(statements.slice(0, -1).flat())
  expect(server.inserted).toEqual([[newest]])
})

test('without a cluster, applied migrations are not repeated', async () => {
  const server = openServer(newest)
  await start(server)
  expect(server.waitedFor).toHaveLength(2)
  expect(server.queued).toEqual([])
})
