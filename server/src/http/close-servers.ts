import type { FastifyInstance } from 'fastify'

/** Closes the listeners at once. Requests under way can finish within that time; then their clients are disconnected. */
export async function closeServers(
  servers: readonly FastifyInstance[],
  withinMs: number,
): Promise<void> {
  const cut = setTimeout(() => {
    for (const { server } of servers) server.closeAllConnections()
  }, withinMs)
  await Promise.all(servers.map((server) => server.close()))
  clearTimeout(cut)
}
