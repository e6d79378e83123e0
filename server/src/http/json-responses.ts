import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { limits } from '@assay/contract/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { openMemberBudget } from '../platform/member-budget.ts'
import type { Requester } from '../platform/requester.ts'
import type { JsonPart } from './call.ts'
import { openCompressor } from './compressor.ts'
import { splitBytes } from './pieces.ts'

/*
 * Sends JSON. Large responses are limited in total and per person, compressed off the event loop, and written in pieces,
 * so that they do not delay other requests or fill the memory while clients read slowly.
 */

export interface JsonResponses {
  /** Sends the parts one after the other, or throws Unavailable. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    requester: Requester,
    parts: readonly JsonPart[],
  ): Promise<FastifyReply>
}

/** Below this, compressing costs more than it saves. */
const worthCompressingBytes = 32 * 1024
/** Up to this size, responses are always sent: they fit in the buffers of a connection. */
const smallBytes = 64 * 1024

export function openJsonResponses(): JsonResponses {
  const budget = openMemberBudget({
    total: limits.unsentBytes.value,
    ofOrganization: limits.unsentBytesOfOrganization.value,
    ofUser: limits.unsentBytesOfUser.value,
    refusal: 'Too many large responses are being sent. Try again shortly.',
  })
  const compress = openCompressor()
  const holdUntilClosed = (response: ServerResponse, requester: Requester, bytes: number) => {
    // Its `close` event would not be noticed.
    if (response.destroyed) return
    response.once('close', budget.take(requester, bytes))
  }
  return {
    async send(request, reply, requester, parts) {
      const chunks = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
      const size = sizeOf(chunks)
      if (size > smallBytes) holdUntilClosed(reply.raw, requester, size)
      void reply.headers({
        'content-type': 'application/json; charset=utf-8',
        vary: 'accept-encoding',
      })
      const acceptsGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
      const compressed =
        acceptsGzip && size >= worthCompressingBytes ? await compress(chunks) : undefined
      if (compressed === undefined) return sendChunks(reply, chunks)
      return sendChunks(reply.header('content-encoding', 'gzip'), [compressed])
    },
  }
}

function sendChunks(reply: FastifyReply, chunks: readonly Uint8Array[]): FastifyReply {
  const size = sizeOf(chunks)
  if (size <= smallBytes) return reply.send(Buffer.concat(chunks))
  return reply.header('content-length', size).send(Readable.from(split(chunks)))
}

function* split(chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const chunk of chunks) yield* splitBytes(chunk)
}

function sizeOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}
