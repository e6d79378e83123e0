import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * One address for several services: requests go in turn to those whose `/readyz?exclude=storage` was 200 when it was last checked, over
 * connections that are kept. A request that a service does not answer is not repeated.
 */

export interface BalancingProxy {
  readonly origin: string
  /** Why requests were not answered, by service. */
  readonly failures: readonly string[]
  /** How many services get requests. */
  countReady(): number
  close(): Promise<void>
}

const checkEveryMs = 200

export async function startBalancingProxy(origins: readonly string[]): Promise<BalancingProxy> {
  const backends = origins.map((origin) => ({
    ...{ origin, isReady: true, checked: '', agent: new Agent({ keepAlive: true }) },
  }))
  const failures: string[] = []
  const checks = setInterval(() => {
    for (const backend of backends) {
      fetch(`${backend.origin}/readyz?exclude=storage`, { headers: { connection: 'close' } }).then(
        ({ status }) => {
          backend.isReady = status === 200
          backend.checked = `/readyz is ${status}`
        },
        () => {
          backend.isReady = false
          backend.checked = 'not reachable'
        },
      )
    }
  }, checkEveryMs)
  let next = 0
  const server = createServer((incoming, response) => {
    next += 1
    const ready = backends.filter(({ isReady }) => isReady)
    const backend = ready[next % ready.length]
    if (backend === undefined) {
      const reasons = backends.map(({ origin, checked }) => `${origin}: ${checked}`)
      failures.push(`no service is ready (${reasons.join(', ')})`)
      response.writeHead(503).end()
    } else {
      forward(incoming, response, backend.origin, backend.agent, (reason) =>
        failures.push(`${backend.origin}: ${reason}`),
      )
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    countReady: () => backends.filter(({ isReady }) => isReady).length,
    async close() {
      clearInterval(checks)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      for (const { agent } of backends) agent.destroy()
    },
  }
}

function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  origin: string,
  agent: Agent,
  onFailure: (reason: string) => void,
): void {
  const { method, headers } = incoming
  const { connection: _ofClient, ...forwarded } = headers
  const upstream = request(origin + (incoming.url ?? ''), { method, headers: forwarded, agent })
  const fail = (error: Error) => {
    onFailure(`${method} ${incoming.url}: ${error.message}`)
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  }
  upstream.on('error', fail)
  upstream.on('response', (answer) => {
    const { connection: _ofService, 'transfer-encoding': _chunked, ...kept } = answer.headers
    response.writeHead(answer.statusCode ?? 502, kept)
    // The first event of a stream may be long in coming.
    response.flushHeaders()
    answer.on('error', fail)
    answer.pipe(response)
  })
  incoming.pipe(upstream)
}
