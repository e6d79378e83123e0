import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const asGzip = promisify(gzip)

/** Below this, compressing costs more than it saves. */
const worthCompressing = 32 * 1024

/** Sends JSON text; long text is compressed off the event loop where the client accepts it. */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  void reply.headers({
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding',
  })
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (!takesGzip || text.length < worthCompressing) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await asGzip(text, { level: 1 }))
}
