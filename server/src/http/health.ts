import { timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/*
 * For operators, outside the API: is it alive, can it serve, and how is it doing (Prometheus text).
 */

export interface HealthPorts {
  /** Resolves when the stores answer. */
  readonly probe: () => Promise<void>
  readonly metricsToken: string | undefined
  /** How far searching is behind what is stored. */
  readonly searchLagMs: () => number
}

const resolutionMs = 10

export function serveHealth(app: FastifyInstance, ports: HealthPorts): void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  app.addHook('onClose', async () => delay.disable())

  app.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'))

  app.get('/readyz', async (_request, reply) => {
    const isReady = await ports.probe().then(
      () => true,
      () => false,
    )
    return reply
      .status(isReady ? 200 : 503)
      .type('text/plain')
      .send(isReady ? 'ready\n' : 'not ready\n')
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, ports.metricsToken)) return reply.callNotFound()
    return reply
      .type('text/plain; version=0.0.4')
      .send(ownMetrics(lagSeconds(delay.max), lagSeconds(delay.mean), ports.searchLagMs() / 1000))
  })
}

// The histogram holds the time between two ticks of a timer, which is never less than its period.
function lagSeconds(tickNanos: number): number {
  return Math.max(0, tickNanos / 1e9 - resolutionMs / 1e3)
}

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return isLoopback(request.socket.remoteAddress ?? '')
  const presented = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return presented.byteLength === expected.byteLength && timingSafeEqual(presented, expected)
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')
}

function ownMetrics(
  delayMaxSeconds: number,
  delayMeanSeconds: number,
  searchLagSeconds: number,
): string {
  const memory = process.memoryUsage()
  const rows: readonly [name: string, kind: string, help: string, value: number][] = [
    ['process_resident_memory_bytes', 'gauge', 'Resident memory.', memory.rss],
    ['nodejs_heap_size_used_bytes', 'gauge', 'Heap in use.', memory.heapUsed],
    [
      'nodejs_eventloop_lag_max_seconds',
      'gauge',
      'Longest pause of the event loop.',
      delayMaxSeconds,
    ],
    [
      'nodejs_eventloop_lag_mean_seconds',
      'gauge',
      'Mean pause of the event loop.',
      delayMeanSeconds,
    ],
    [
      'assay_search_index_lag_seconds',
      'gauge',
      'For how long the oldest span that a search does not find yet has been stored.',
      searchLagSeconds,
    ],
    ['process_uptime_seconds', 'gauge', 'Seconds since the start.', process.uptime()],
  ]
  return rows
    .map(
      ([name, kind, help, value]) =>
        `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${name} ${value}\n`,
    )
    .join('')
}
