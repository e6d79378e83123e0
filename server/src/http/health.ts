import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLoopback } from '../platform/network-rules.ts'
import { hasLocalHost } from './request-address.ts'

/*
 * Endpoints for operators, outside the API: liveness, readiness and metrics.
 */

export interface HealthPorts {
  /** Why this process takes no requests. Anybody can read it. */
  readonly findProcessProblem: () => string | undefined
  /** Why requests cannot be handled although it takes them. Anybody can read it. */
  readonly findStorageProblem: () => Promise<string | undefined>
  readonly metricsToken: string | undefined
  /** Whether only this machine uses the service. Otherwise, metrics are not served without a token. */
  readonly isLocal: boolean
  /** In Prometheus's text format. */
  readonly metrics: () => Promise<string>
}

export function serveHealth(app: FastifyInstance, ports: HealthPorts): void {
  app.get('/healthz', anyHost, async (_request, reply) => reply.type('text/plain').send('ok\n'))

  app.get('/readyz', anyHost, async (request, reply) => {
    // For balancers: no other process does better with storage that all share.
    const { exclude } = request.query as { readonly exclude?: unknown }
    const problem =
      ports.findProcessProblem() ??
      (exclude === 'storage' ? undefined : await ports.findStorageProblem())
    return reply
      .status(problem === undefined ? 200 : 503)
      .type('text/plain')
      .send(problem === undefined ? 'ready\n' : `not ready: ${problem}\n`)
  })

  const mayReadMetrics = metricsGuard(ports)
  app.get('/metrics', anyHost, async (request, reply) => {
    if (!mayReadMetrics(request)) return reply.callNotFound()
    return reply.type('text/plain; version=0.0.4').send(await ports.metrics())
  })
}

/** Probes use the address of the machine or container. Metrics have their own check. */
const anyHost = { config: { anyHost: true } } as const

function metricsGuard({ metricsToken, isLocal }: HealthPorts) {
  if (metricsToken === undefined) {
    return (request: FastifyRequest) => isLocal && isFromThisMachine(request)
  }
  const expected = Buffer.from(`Bearer ${metricsToken}`)
  return ({ headers }: FastifyRequest) => {
    const presented = Buffer.from(headers.authorization ?? '')
    return presented.byteLength === expected.byteLength && timingSafeEqual(presented, expected)
  }
}

// A proxy on the same machine connects from a loopback address too, for any client.
function isFromThisMachine(request: FastifyRequest): boolean {
  return (
    isLoopback(request.socket.remoteAddress ?? '') &&
    hasLocalHost(request) &&
    !Object.keys(request.headers).some((name) => proxyHeader.test(name))
  )
}

const proxyHeader =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-(?:original|client|cluster-client|envoy)-.*|(?:cf-connecting|true-client|fly-client|fastly-client)-ip)$/
