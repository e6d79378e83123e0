import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { freePort } from '../server/test/free-port.ts'
import { failedStart, newDataDir, runService, setUpService } from './running-service.ts'

/*
 * Starting and stopping with real processes: the lock of the data folder, and what remains after a kill.
 */

const root = join(import.meta.dirname, '..')

test('a second start on the same data folder fails with one line, and the first keeps running', async () => {
  const first = await runService()
  const second = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    env: { ...(await environment(first.dataDir)) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = [collected(second.stdout), collected(second.stderr)]
  const [code] = (await once(second, 'close')) as [number]
  expect(code).toBe(1)
  expect(errors()).toBe(`The data folder ${first.dataDir} is in use by another process.\n`)
  expect(output()).toBe('')
  expect((await fetch(`${first.origin}/healthz`)).status).toBe(200)
  await first.stop()
})

test('a start without its database fails with one line that has the reason, without the password', async () => {
  const env = {
    ASSAY_DATABASE_URL: 'postgres://assay:password@127.0.0.1:1/assay',
    ASSAY_SECRET: 'x'.repeat(32),
  }
  expect(await failedStart({ env })).toEqual({
    code: 1,
    errors:
      'The accounts database cannot be reached or is busy: connect ECONNREFUSED 127.0.0.1:1. Check ASSAY_DATABASE_URL.\n',
    output: '',
  })
})

test('a start prints the addresses of both products, and the set-up link until it was used', async () => {
  const first = await runService()
  const chat = new URL(first.chatApi).origin
  expect(first.printed()).toBe(
    `Assay is ready. Open this link to set it up: ${first.link}\nAssay Chat: ${chat}\n`,
  )
  expect(first.link).toMatch(/\/setup\?token=\S+$/)
  await setUpService(first)
  await first.stop()
  const again = await runService({ dataDir: first.dataDir })
  const chatAgain = new URL(again.chatApi).origin
  expect(again.printed()).toBe(`Assay is ready: ${again.origin}\nAssay Chat: ${chatAgain}\n`)
  await again.stop()
})

test('a service that drains is not ready, answers requests on connections that it closes, and ends with 0', async () => {
  const service = await runService({ env: { ASSAY_DRAIN_SECONDS: '3' } })
  const exited = once(service.process, 'exit')
  const before = await request(service)
  service.process.kill('SIGTERM')
  for (const path of ['/readyz', '/readyz?exclude=storage']) {
    await expect.poll(async () => (await fetch(service.origin + path)).status).toBe(503)
  }
  const draining = await request(service)
  expect([before.statusCode, before.headers.connection]).toEqual([200, 'keep-alive'])
  expect([draining.statusCode, draining.headers.connection]).toEqual([200, 'close'])
  expect(await exited).toEqual([0, null])
})

test('a service that stops responds to every request on open connections, and accepts no new ones', async () => {
  const service = await runService()
  const exited = once(service.process, 'exit')
  let responses = 0
  const sendUntilRefused = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (;;) {
      const failure = await request(service, agent).then(
        () => undefined,
        ({ code }: NodeJS.ErrnoException) => code,
      )
      if (failure !== undefined) return failure
      responses += 1
      if (responses === 200) service.process.kill('SIGTERM')
    }
  }
  const ends = Array.from({ length: 8 }, sendUntilRefused)
  expect(new Set(await Promise.all(ends))).toEqual(new Set(['ECONNREFUSED']))
  expect(await exited).toEqual([0, null])
})

test('a second signal ends a service that drains at once', async () => {
  const service = await runService({ env: { ASSAY_DRAIN_SECONDS: '300' } })
  const exited = once(service.process, 'exit')
  service.process.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${service.origin}/readyz`)).status).toBe(503)
  // Signals within a second count once.
  const again = setInterval(() => service.process.kill('SIGTERM'), 300)
  expect(await exited).toEqual([null, 'SIGKILL'])
  clearInterval(again)
})

test('a service whose output nobody reads any more starts and goes on', async () => {
  const env = await environment(newDataDir())
  const child = spawn(process.execPath, ['server/src/main.ts'], {
    ...{ cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  child.stdout.destroy()
  child.stderr.destroy()
  const ended = once(child, 'exit')
  const isReady = () =>
    fetch(`http://localhost:${env['ASSAY_PORT']}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

// The first process of a namespace is treated by the kernel like that of a container.
const namespace = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child']
const [unshare = '', ...namespaceArgs] = namespace
const hasNamespaces = spawnSync(unshare, [...namespaceArgs, 'true']).status === 0

test.skipIf(!hasNamespaces)(
  'a signal ends the first process of a container also while it starts (only where unshare may create process namespaces)',
  async () => {
    const signals = 'while kill -TERM 1; do sleep 0.02; done 2> /dev/null & exec "$@"'
    const through = [...namespace, 'sh', '-c', signals, 'sh']
    // The exit code is 0, or that of a further signal which arrives while it exits.
    expect(await failedStart({ through })).toMatchObject({ errors: '', output: '' })
  },
)

/** A request to `/docs`, whose connection can be kept. */
async function request(
  { origin }: { readonly origin: string },
  agent = new Agent({ keepAlive: true }),
): Promise<IncomingMessage> {
  const [response] = (await once(get(`${origin}/docs`, { agent }), 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response
}

interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** All processes except zombies. */
function processes(): readonly ProcessEntry[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
  return lines
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [])
    .filter(([, , , state = 'Z']) => !state.startsWith('Z'))
    .map(([, pid, parent, , command = '']) => ({
      ...{ pid: Number(pid), parent: Number(parent), command },
    }))
}

/** The process and all its descendants. */
function listTree(root: number): readonly ProcessEntry[] {
  const all = processes()
  const tree = all.filter(({ pid }) => pid === root)
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}

let npm: ChildProcess | undefined
let tree: readonly ProcessEntry[] = []
afterEach(() => {
  // Those of a start that did not become ready in time. Once it has ended, its id may be that of another process.
  if (npm?.exitCode === null && npm.signalCode === null) tree = listTree(npm.pid ?? 0)
  for (const { pid } of running()) process.kill(pid, 'SIGKILL')
})

const running = () =>
  processes().filter(({ pid, command }) =>
    tree.some((one) => one.pid === pid && one.command === command),
  )

/** Each process and each signal, and the ways in which people and supervisors stop it. */
const stops = [
  ['npm start', 'SIGINT'],
  ['npm start', 'SIGKILL'],
  ['server/src/main.ts', 'SIGTERM'],
] as const
const otherStops = [
  ['npm start', 'SIGTERM'],
  ['tools/start.mjs', 'SIGTERM'],
  ['tools/start.mjs', 'SIGINT'],
  ['tools/start.mjs', 'SIGKILL'],
  ['server/src/main.ts', 'SIGINT'],
  ['server/src/main.ts', 'SIGKILL'],
] as const

test.each(inject('isLong') ? [...stops, ...otherStops] : stops)(
  'when %s is stopped with %s, none of its processes remains',
  async (name, signal) => {
    const started = spawn('npm', ['start'], {
      cwd: root,
      env: await environment(newDataDir()),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, as a shell creates one.
      detached: true,
    })
    npm = started
    const output = collected(started.stdout)
    await expect.poll(output).toContain('Assay is ready')
    tree = listTree(started.pid ?? 0)
    const target = tree.filter(({ command }) => command.includes(name)).at(-1)
    if (target === undefined) throw new Error(`${name} is not running: ${JSON.stringify(tree)}`)
    // Ctrl+C signals the whole foreground group; npm itself ignores it.
    const isCtrlC = name === 'npm start' && signal === 'SIGINT'
    process.kill(isCtrlC ? -(started.pid ?? 0) : target.pid, signal)
    await expect.poll(running).toEqual([])
  },
)

async function environment(dataDir: string): Promise<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    ASSAY_DATA_DIR: dataDir,
    ASSAY_PORT: String(await freePort()),
    ASSAY_CHAT_PORT: String(await freePort()),
  }
}

function collected(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}
