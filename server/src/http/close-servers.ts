import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long connections stay open for a request that is on its way. */
const graceMs = 250

/**
 * Closes the listeners at once. Open connections are closed after their next response, or when no request arrives in
 * a quarter of a second: one that arrives while its connection is being closed gets no response. Requests under way can
 * finish within `withinMs`; then their clients are disconnected.
 */
export async function closeServers(
  servers: readonly FastifyInstance[],
  withinMs: number,
): Promise<void> {
  const cut = setTimeout(() => {
    for (const { server } of servers) server.closeAllConnections()
  }, withinMs)
  try {
    await Promise.all(servers.map(closeServer))
  } finally {
    clearTimeout(cut)
  }
}

async function closeServer(fastify: FastifyInstance): Promise<void> {
  const { server } = fastify
  if (server.listening) {
    const closed = once(server, 'close')
    // That of HTTP servers closes idle connections as well, at once.
    Server.prototype.close.call(server)
    await Promise.race([closed, sleep(graceMs)])
  }
  await fastify.close()
}
