import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call } from '@assay/contract/client.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { setUp } from '@assay/contract/sign-in.ts'
import { freePort } from '../server/test/free-port.ts'

/*
 * The service as in production: a separate process, reached through the link it prints.
 */

export interface RunningService {
  readonly origin: string
  readonly api: string
  /** Of the chat product. */
  readonly chatApi: string
  /** The printed link: to the setup page until setup is complete. */
  readonly link: string
  readonly dataDir: string
  readonly process: ChildProcess
  /** Milliseconds from process start to the link. */
  readonly readyAfterMs: number
  /** Everything written to standard output. */
  printed(): string
  /** Everything written to standard error. */
  log(): string
  /** Stops it as a supervisor would and waits for it to exit. */
  stop(): Promise<number | null>
  kill(): Promise<void>
}

export interface RunOptions {
  readonly dataDir?: string
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
  /** A command that runs the service, which is appended to it. */
  readonly through?: readonly string[]
  /** The user to run as. */
  readonly uid?: number
}

const main = join(import.meta.dirname, '../server/src/main.ts')

export async function runService(options: RunOptions = {}): Promise<RunningService> {
  const dataDir = options.dataDir ?? newDataDir()
  const port = options.port ?? (await freePort())
  const chatPort = options.env?.['ASSAY_CHAT_PORT'] ?? String(await freePort())
  const env = { ...options.env, ASSAY_CHAT_PORT: chatPort }
  const startedAt = performance.now()
  const child = await spawnService({ ...options, dataDir, port, env })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  const link = await printedLink(child, {
    printed: () => printed,
    errors: () => errors,
  })
  const { origin } = new URL(link)
  return {
    origin,
    api: `${origin}/api/v1`,
    chatApi: `${toPort(origin, chatPort)}/api/v1`,
    link,
    dataDir,
    process: child,
    readyAfterMs: performance.now() - startedAt,
    printed: () => printed,
    log: () => errors,
    stop: () => end(child, 'SIGTERM'),
    async kill() {
      await end(child, 'SIGKILL')
    },
  }
}

function toPort(origin: string, port: string): string {
  const url = new URL(origin)
  url.port = port
  return url.origin
}

/** Starts it where it cannot start; returns the exit code and what it printed. */
export async function failedStart(
  options: RunOptions,
): Promise<{ readonly code: number | null; readonly errors: string; readonly output: string }> {
  const dataDir = options.dataDir ?? newDataDir()
  const child = await spawnService({ ...options, dataDir, port: await freePort() })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    child.kill('SIGKILL')
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, errors, output }
}

async function spawnService({ dataDir, port, env, through = [], uid }: RunOptions) {
  const [program, ...args] = [...through, process.execPath, main]
  const child = spawn(program, args, {
    env: {
      PATH: process.env['PATH'] ?? '',
      // As `npm start` does.
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../.cache/node'),
      ASSAY_PORT: String(port),
      ASSAY_CHAT_PORT: String(await freePort()),
      ASSAY_DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid }),
  })
  const stopWithUs = () => child.kill('SIGKILL')
  process.once('exit', stopWithUs)
  child.once('exit', () => process.off('exit', stopWithUs))
  return child
}

export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-run-'))
  if (dataDirs.length === 0) process.once('exit', removeDataDirs)
  dataDirs.push(folder)
  return folder
}

const dataDirs: string[] = []

function removeDataDirs(): void {
  for (const folder of dataDirs) rmSync(folder, { recursive: true, force: true })
}

interface Output {
  readonly printed: () => string
  readonly errors: () => string
}

function printedLink(child: ChildProcess, { printed, errors }: Output): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const link = /https?:\/\/\S+/.exec(printed())?.[0]
      if (link !== undefined && printed().includes('\n')) resolve(link)
    })
    child.once('exit', (code) =>
      reject(new Error(`the service exited with code ${code}: ${errors()}`)),
    )
  })
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit') as Promise<[number | null]>
  child.kill(signal)
  const [code] = await exited
  return code
}

/** The person who completes setup. */
export const person = {
  email: 'ana@example.org',
  password: 'a long enough password',
  name: 'Ana Example',
} as const

export interface SetUpService extends DataOf<typeof setUp> {
  /** Request headers of the first person. */
  readonly session: { readonly cookie: string }
}

/** Completes setup through the API, for tests of something else. */
export async function setUpService(
  service: Pick<RunningService, 'api' | 'link'>,
): Promise<SetUpService> {
  const token = new URL(service.link).searchParams.get('token') ?? ''
  const body = { token, ...person, organization_name: 'Example', project_name: 'First project' }
  const response = await fetch(service.api + setUp.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`set-up failed: ${await response.text()}`)
  const { data } = (await response.json()) as { data: DataOf<typeof setUp> }
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { ...data, session: { cookie } }
}

/** A typed call as the first person. */
export const callAs =
  (service: RunningService, { session }: Pick<SetUpService, 'session'>): BoundCall =>
  (declared, args) =>
    call(service.api, declared, args, { headers: session })

type BoundCall = <E extends Parameters<typeof call>[1]>(
  declared: E,
  args: Parameters<typeof call<E>>[2],
) => Promise<DataOf<E>>
