import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { toClientNetwork } from '../platform/client-network.ts'
import { openTimeSlices } from '../platform/time-slices.ts'

/*
 * Requests that arrive at once are handled a few milliseconds at a time, with other work of the process in between: a
 * request needs several turns of the event loop, so a client with hundreds of connections would delay it several times.
 * Networks take turns, and so do the credentials in each. Neither is authenticated yet, because that is part of the work.
 */

/** Undefined if the request may be handled now; else resolves when it is its turn. */
export type RequestTurns = (request: FastifyRequest) => Promise<void> | undefined

/** Of the event loop, for all requests before other work. */
const sliceMs = 4

/** For all servers of the process. */
export function openRequestTurns(): RequestTurns {
  const slices = openTimeSlices(sliceMs)
  return ({ ip, headers }) => slices.take([findNetwork(ip), hashOfCredentials(headers)])
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
