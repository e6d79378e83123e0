import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long idle connections stay open for a request that is on its way. */
const idleMs = 250

/**
 * Closes the listeners at once. Open connections are closed after their next response, or when none was requested for a
 * moment: a request that arrives while its connection is being closed would not get one. Requests under way can finish
 * within that time; then their clients are disconnected.
 */
export async function closeServers(
  servers: readonly FastifyInstance[],
  withinMs: number,
): Promise<void> {
  const cut = setTimeout(() => {
    for (const { server } of servers) server.closeAllConnections()
  }, withinMs)
  await Promise.all(servers.map(closeServer))
  clearTimeout(cut)
}

async function closeServer(fastify: FastifyInstance): Promise<void> {
  const { server } = fastify
  if (server.listening) {
    const closed = once(server, 'close')
    // Unlike that of HTTP servers, it leaves idle connections open.
    Server.prototype.close.call(server)
    await Promise.race([closed, sleep(idleMs)])
  }
  await fastify.close()
}
