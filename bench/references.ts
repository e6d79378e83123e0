import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { decodeProtobuf } from '../server/src/features/ingest-otlp/decode/decode-protobuf.ts'
import { newProblems } from '../server/src/features/ingest-otlp/decode/problems.ts'
import { jsonBody, otlpBatch } from './span-load.ts'

/*
 * What this machine achieves without our code: the reference measurements of the benchmark.
 */

export interface Reference {
  readonly perSecond: number
  readonly what: string
}

export interface References {
  readonly rawInserts: Reference
  readonly singleInserts: Reference
  readonly bareDecode: Reference
  /** Start-up time and memory of an empty Node process. */
  readonly start: string
  readonly memory: string
}

export async function measureReferences(): Promise<References> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-reference-'))
  try {
    return {
      rawInserts: rawInserts(folder),
      singleInserts: singleInserts(folder),
      bareDecode: bareDecode(),
      ...emptyProcess(),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const columns = 24

function openTable(folder: string, name: string): DatabaseSync {
  const db = new DatabaseSync(join(folder, name))
  db.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const names = Array.from({ length: columns }, (_, n) => `c${n}`).join(', ')
  db.exec(`CREATE TABLE rows (id INTEGER PRIMARY KEY, ${names}, body BLOB)`)
  return db
}

/** Rows of the same width, in transactions of 512, uncompressed bodies of 2 KB, one thread. */
function rawInserts(folder: string): Reference {
  const rows = 100_000
  const db = openTable(folder, 'batched.sqlite')
  const insert = insertStatement(db)
  const startedAt = performance.now()
  for (let done = 0; done < rows; done += 512) {
    db.exec('BEGIN')
    for (let n = 0; n < 512; n++) insert(done + n)
    db.exec('COMMIT')
  }
  const perSecond = rows / ((performance.now() - startedAt) / 1000)
  db.close()
  return { perSecond, what: 'plain SQLite inserts/s of rows of that size, 512 per transaction' }
}

function singleInserts(folder: string): Reference {
  const rows = 4000
  const db = openTable(folder, 'single.sqlite')
  const insert = insertStatement(db)
  const startedAt = performance.now()
  for (let n = 0; n < rows; n++) insert(n)
  const perSecond = rows / ((performance.now() - startedAt) / 1000)
  db.close()
  return { perSecond, what: 'plain SQLite inserts/s, each its own durable transaction' }
}

function insertStatement(db: DatabaseSync): (n: number) => void {
  const statement = db.prepare(
    `INSERT INTO rows VALUES (${Array(columns + 2)
      .fill('?')
      .join(', ')})`,
  )
  const body = jsonBody()
  return (n) => {
    const values = Array.from({ length: columns }, (_, column) =>
      column % 3 === 0 ? `text ${n}` : n + column,
    )
    statement.run(n, ...values, body)
  }
}

function bareDecode(): Reference {
  const { bytes, spanCount, renew } = otlpBatch(512)
  renew(Date.now())
  for (let n = 0; n < 20; n++) decodeProtobuf(bytes, newProblems())
  const rounds = 100
  const startedAt = performance.now()
  for (let n = 0; n < rounds; n++) decodeProtobuf(bytes, newProblems())
  const perSecond = (rounds * spanCount) / ((performance.now() - startedAt) / 1000)
  return { perSecond, what: 'spans/s decoded and discarded' }
}

function emptyProcess(): Pick<References, 'start' | 'memory'> {
  const startedAt = performance.now()
  const script = 'console.log(process.memoryUsage().rss / 1048576)'
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  const seconds = (performance.now() - startedAt) / 1000
  return {
    start: `an empty Node process: ${seconds.toFixed(2)} s`,
    memory: `an empty Node process: ${Number(stdout).toFixed(0)} MB`,
  }
}
