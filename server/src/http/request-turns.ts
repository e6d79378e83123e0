import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { toClientNetwork } from '../platform/client-network.ts'
import { currentRequester, runFor } from '../platform/current-requester.ts'
import type { Requester } from '../platform/requester.ts'
import { openTimeSlices, type TimeSlices } from '../platform/time-slices.ts'

/*
 * Requests that arrive at once are handled a few milliseconds at a time, with other work of the process in between: a
 * request needs several turns of the event loop, so a client with hundreds of connections would delay it several times.
 * Networks take turns, and so do the credentials in each. Neither is authenticated yet, because that is part of the work.
 */

/** Of all servers of the process. */
export type RequestTurns = TimeSlices

/** Of the event loop, for all requests before other work. */
const sliceMs = 4

export function openRequestTurns(): RequestTurns {
  return openTimeSlices(sliceMs)
}

/** Has the requests of a server wait for their turns, and be handled as those of who presents them. */
export function takeTurns(app: FastifyInstance, turns: RequestTurns): void {
  app.addHook('onRequest', (request, _reply, done) => runFor(findRequester(request), done))
  app.addHook('onRequest', async (request, reply) => {
    await turns.take(currentRequester())
    // The `close` event of a response is then in the past, so nothing would notice that the client has gone.
    return reply.raw.destroyed || request.socket.destroyed ? reply.hijack() : undefined
  })
}

function findRequester({ ip, headers }: FastifyRequest): Requester {
  return [findNetwork(ip), hashOfCredentials(headers)]
}

/** A socket has no remote address once the client has disconnected. */
function findNetwork(ip: string | undefined): string {
  return ip === undefined ? '' : toClientNetwork(ip)
}

/** Of the same length for all, because headers can be long. */
function hashOfCredentials(headers: FastifyRequest['headers']): string {
  const { authorization, 'x-tracing-key': key, cookie } = headers
  return hash('sha256', String(authorization ?? key ?? cookie ?? ''), 'base64')
}
