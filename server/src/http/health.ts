import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLoopback, plainHost } from '../platform/network-rules.ts'

/*
 * Endpoints for operators, outside the API: liveness, readiness and metrics.
 */

export interface HealthPorts {
  /** Resolves when the stores respond. */
  readonly probe: () => Promise<void>
  readonly metricsToken: string | undefined
  /** Without a token, metrics are served only if these are addresses of this machine. */
  readonly baseUrls: readonly string[]
  /** Without a token, metrics are not served if a proxy is configured. */
  readonly trustProxy: number | readonly string[] | false
  /** In Prometheus's text format. */
  readonly metrics: () => Promise<string>
}

export function serveHealth(app: FastifyInstance, ports: HealthPorts): void {
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

  const mayReadMetrics = metricsGuard(ports)
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request)) return reply.callNotFound()
    return reply.type('text/plain; version=0.0.4').send(await ports.metrics())
  })
}

function metricsGuard({ metricsToken, baseUrls, trustProxy }: HealthPorts) {
  if (metricsToken === undefined) {
    const isBehindProxy = trustProxy !== false || !baseUrls.every(isOnThisMachine)
    return (request: FastifyRequest) => !isBehindProxy && isFromThisMachine(request)
  }
  const expected = Buffer.from(`Bearer ${metricsToken}`)
  return ({ headers }: FastifyRequest) => {
    const presented = Buffer.from(headers.authorization ?? '')
    return presented.byteLength === expected.byteLength && timingSafeEqual(presented, expected)
  }
}

// A proxy on the same machine connects from a loopback address too, for any client.
function isFromThisMachine({ socket, headers, hostname }: FastifyRequest): boolean {
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    isLocalHost(hostname) &&
    !Object.keys(headers).some((name) => proxyHeader.test(name))
  )
}

function isOnThisMachine(url: string): boolean {
  return isLocalHost(new URL(url).hostname)
}

function isLocalHost(host: string): boolean {
  const plain = plainHost(host)
  return plain === 'localhost' || isLoopback(plain)
}

const proxyHeader =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-(?:original|client|cluster-client|envoy)-.*|(?:cf-connecting|true-client|fly-client|fastly-client)-ip)$/
