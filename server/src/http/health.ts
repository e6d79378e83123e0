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

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, ports.metricsToken)) return reply.callNotFound()
    return reply.type('text/plain; version=0.0.4').send(await ports.metrics())
  })
}

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return isFromThisMachine(request)
  const presented = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return presented.byteLength === expected.byteLength && timingSafeEqual(presented, expected)
}

// A proxy on the same machine connects from a loopback address too, for any client.
function isFromThisMachine({ socket, headers, hostname }: FastifyRequest): boolean {
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    (hostname === 'localhost' || isLoopback(plainHost(hostname))) &&
    !Object.keys(headers).some((name) => proxyHeader.test(name))
  )
}

const proxyHeader =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-(?:original|client|cluster-client|envoy)-.*|(?:cf-connecting|true-client|fly-client|fastly-client)-ip)$/
