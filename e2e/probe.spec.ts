import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { listTraces } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callAs,
  person,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * `assay probe` against a running service, as an operator calls it.
 */

let service: RunningService
let setUp: SetUpService

beforeAll(async () => {
  service = await runService()
  setUp = await setUpService(service)
})
afterAll(async () => {
  await service.stop()
})

const script = join(import.meta.dirname, '../tools/assay.mjs')

/** Appends the arguments to `--url`; the tracing key and `secret` are sent on standard input. */
async function probe(args: string, secret: string) {
  const child = spawn(process.execPath, [
    ...[script, 'probe', '--url', service.origin],
    ...args.split(' '),
  ])
  let [out, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => void (out += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (stderr += chunk))
  child.stdin.end(`${setUp.tracing_key}\n${secret}\n`)
  return {
    child,
    code: once(child, 'close').then(([code]) => code as number),
    out: () => out,
    stderr: () => stderr,
  }
}

describe('assay probe', () => {
  test('writes over both routes, finds each trace in three ways, and reports the delays', async () => {
    const { code, out } = await probe(
      `--email ${person.email} --count 3 --every 10ms --json`,
      person.password,
    )
    expect(await code).toBe(0)
    const summary = JSON.parse(out().trim()) as { readonly found: readonly object[] }
    expect(summary).toMatchObject({ acknowledged: 6, refused: 0, lost: 0, losses: [] })
    expect(summary.found).toHaveLength(6)
    for (const found of summary.found) expect(found).toMatchObject({ count: 3 })
    const params = { projectId: setUp.project.id }
    const traces = await callAs(service, setUp)(listTraces, {
      params,
      query: { name: 'assay probe' },
    })
    expect(traces.map(({ source }) => source).sort()).toEqual([
      ...['json', 'json', 'json', 'json'],
      ...['otlp', 'otlp', 'otlp'],
    ])
  })

  test('also reads with a session, and shuts down cleanly on SIGTERM', async () => {
    const { child, code, out } = await probe('--session --every 10ms', setUp.session.cookie)
    const params = { projectId: setUp.project.id }
    const written = async () => {
      const read = callAs(service, setUp)
      return (await read(listTraces, { params, query: { name: 'assay probe' } })).length
    }
    const before = await written()
    await expect.poll(written, { timeout: 60_000 }).toBeGreaterThan(before + 2)
    child.kill('SIGTERM')
    expect(await code).toBe(0)
    expect(out()).toMatch(/^acknowledged \d+, refused 0, lost 0$/m)
  })

  test('reports why it cannot start', async () => {
    const wrong = await probe(`--email ${person.email} --count 1`, 'not the password')
    expect([await wrong.code, wrong.stderr()]).toEqual([1, 'Invalid e-mail or password.\n'])
    const misused = await probe('--email', '')
    expect(await misused.code).toBe(2)
  })
})
