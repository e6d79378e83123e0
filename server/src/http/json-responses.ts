import { Readable } from 'node:stream'
import { type AnyEndpoint, listErrors } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { openByteBudget } from '../platform/member-budget.ts'
import type { Requester } from '../platform/requester.ts'
import type { JsonPart } from './call.ts'
import { chooseEncoding, openCompressor } from './compressor.ts'
import { splitBytes } from './pieces.ts'

/*
 * Sends JSON. Large responses are limited per user, per organization and in total, compressed off the event loop, and
 * written in pieces, so that they neither delay other requests nor fill the memory while clients read slowly.
 */

export interface JsonResponses {
  /** Starts the response to a request. Only an endpoint that declares 503 is limited. */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    requester: Requester,
    declared: AnyEndpoint,
  ): JsonResponse
}

export interface JsonResponse {
  /** Before a large response is built: throws Unavailable when it is too large to be sent now. */
  reserve(bytes: number): void
  /** Before a part of a stream is sent; call the returned function when it has been sent. Throws Unavailable. */
  hold(bytes: number): () => void
  /** Sends the parts one after the other, or throws Unavailable. */
  send(parts: readonly JsonPart[]): Promise<FastifyReply>
}

/** Below this, compressing costs more than it saves. */
const worthCompressingBytes = 32 * 1024
/** Up to this size, responses are always sent: they fit in the buffers of a connection. */
const smallBytes = 64 * 1024

export function openJsonResponses(): JsonResponses {
  const budget = openByteBudget({
    total: limits.unsentBytes.value,
    ofOrganization: limits.unsentBytesOfOrganization.value,
    ofUser: limits.unsentBytesOfUser.value,
    refusal: 'Too many large responses are being sent. Try again shortly.',
  })
  const compress = openCompressor()
  return {
    open(request, reply, requester, declared) {
      let held = 0
      const reserve = (bytes: number) => {
        const more = bytes - held
        // The `close` event of a destroyed response would not be noticed.
        if (more <= smallBytes || reply.raw.destroyed || !declaresUnavailable(declared)) return
        reply.raw.once('close', budget.take(requester, more))
        held = bytes
      }
      return {
        reserve,
        hold: (bytes) => (bytes <= smallBytes ? () => undefined : budget.take(requester, bytes)),
        async send(parts) {
          const chunks = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
          const size = sizeOf(chunks)
          reserve(size)
          void reply.headers({
            'content-type': 'application/json; charset=utf-8',
            vary: 'accept-encoding',
          })
          const isWorthIt = size >= worthCompressingBytes
          const encoding = chooseEncoding(isWorthIt ? request.headers['accept-encoding'] : '')
          const compressed = encoding && (await compress(chunks, encoding))
          if (compressed === undefined) return sendChunks(reply, chunks)
          return sendChunks(reply.header('content-encoding', encoding), [compressed])
        },
      }
    },
  }
}

function declaresUnavailable(declared: AnyEndpoint): boolean {
  return listErrors(declared).some(({ status }) => status === 503)
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
