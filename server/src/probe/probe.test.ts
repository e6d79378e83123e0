import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { probe } from './probe.ts'
import { probeOptions } from './probe-options.ts'
import { newProbeStats } from './probe-stats.ts'

/*
 * Against a service that loses data; e2e/probe.spec.ts covers a correct one.
 */

let server: Server | undefined
afterEach(() => void server?.close())

const projectId = '00000000-0000-4000-8000-000000000001'
const acknowledgement = {
  data: { trace_id: 'a', project_id: projectId, span_count: 2, status: 'OK' },
}

interface FakeService {
  readonly ingest: (count: number) => readonly [status: number, body: unknown]
  readonly read: (path: string) => readonly [status: number, body: unknown]
}

async function probed({ ingest, read }: FakeService) {
  let ingested = 0
  const started = createServer((request, response) => {
    const { url = '', method } = request
    const [status, body] =
      method === 'GET' ? read(url) : url === '/api/v1/traces' ? [200, {}] : ingest((ingested += 1))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  const { port } = started.address() as AddressInfo
  const words = `--url http://127.0.0.1:${port} --session --count 2 --every 1ms --within 50ms --json`
  const options = probeOptions(words.split(' '))
  if (typeof options === 'string') throw new Error(options)
  const lines: string[] = []
  const code = await probe(
    options,
    { key: 'k', secret: 'a=b' },
    {
      print: (line) => lines.push(line),
      stop: new AbortController().signal,
    },
  )
  return { code, summary: JSON.parse(lines.at(-1) ?? '') as Readonly<Record<string, unknown>> }
}

const absent = [404, { error: { code: 'NOT_FOUND', message: 'no' } }] as const

test('an acknowledged trace that cannot be found is lost, separately for each read', async () => {
  const { code, summary } = await probed({
    ingest: () => [201, acknowledgement],
    read: (path) => (path.includes('?') ? [200, { data: [], meta: {} }] : absent),
  })
  expect(code).toBe(1)
  expect(summary).toMatchObject({ acknowledged: 4, refused: 0, lost: 12, found: [] })
  expect(summary['losses']).toContainEqual(
    expect.objectContaining({ route: 'OTLP', way: 'by search' }),
  )
})

test('a trace that was found once and is gone later is lost', async () => {
  const looked = new Map<string, number>()
  const { code, summary } = await probed({
    ingest: () => [201, acknowledgement],
    read(path) {
      if (path.includes('?')) return [200, { data: foundIn(path), meta: {} }]
      const times = (looked.get(path) ?? 0) + 1
      looked.set(path, times)
      return times === 1 ? [200, { data: { spans: [{}, {}] } }] : absent
    },
  })
  expect(code).toBe(1)
  expect(summary).toMatchObject({
    lost: 4,
    losses: Array(4).fill(expect.objectContaining({ way: 'by id' })),
  })

  /** The fake service stores nothing: it returns the requested id. */
  function foundIn(path: string) {
    const word = /[?&]q=w(\w+)/.exec(path)?.[1]
    const ids = word === undefined ? [...looked.keys()].map((one) => one.split('/').at(-1)) : [word]
    return ids.map((trace_id) => ({ trace_id, span_count: 2 }))
  }
})

test('a refused trace is not lost', async () => {
  const { summary } = await probed({
    ingest: (count) =>
      count === 1
        ? [201, acknowledgement]
        : [503, { error: { code: 'INTERNAL_ERROR', message: 'busy' } }],
    read: (path) =>
      path.includes('?') ? [200, { data: [], meta: {} }] : [200, { data: { spans: [{}, {}] } }],
  })
  expect(summary).toMatchObject({
    ...{ acknowledged: 2, refused: 2, lost: 4 },
    losses: Array(4).fill(expect.objectContaining({ route: 'OTLP' })),
    found: [{ route: 'OTLP', way: 'by id', count: 2 }],
  })
})

test.each([
  ['--count 1'],
  ['--email a@x.org --session'],
  ['--session --every 1'],
  ['--session --within never'],
  ['--session --count 0'],
  ['--session --url ftp://x'],
  ['--session --password secret'],
  ['--session --key secret'],
])('%s is not a valid call', (words) => {
  expect(probeOptions(words.split(' '))).toEqual(expect.any(String))
})

test('durations are within five percent, minimum and maximum exact', () => {
  const stats = newProbeStats()
  for (let ms = 1; ms <= 1000; ms += 1) stats.observed('JSON', 'by id', ms)
  const [found] = stats.summary().found
  expect(found).toMatchObject({ count: 1000, min_ms: 1, max_ms: 1000 })
  expect(found?.p50_ms).toBeGreaterThan(475)
  expect(found?.p50_ms).toBeLessThan(525)
  expect(found?.p99_ms).toBeGreaterThan(940)
})
