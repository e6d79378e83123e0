import { createHmac, timingSafeEqual } from 'node:crypto'
import { type AnyEndpoint, endpointName } from '@assay/contract/endpoint.ts'
import { InvalidCursor } from '../platform/failure.ts'

/*
 * Cursors of paged lists. A handler works with the position of its store; a client gets it as a cursor that is
 * authenticated and bound to the endpoint and its path parameters, so one that was forged, or issued for another
 * project, is refused before the handler runs.
 */

export interface Cursors {
  /** The query with the position in place of the cursor. Throws `InvalidCursor`. */
  open<Query>(declared: AnyEndpoint, params: unknown, query: Query): Query
  /** The response with the cursor in place of the position. */
  seal<Response>(declared: AnyEndpoint, params: unknown, response: Response): Response
}

const tagBytes = 16

export function openCursors(key: Buffer): Cursors {
  const computeTag = (declared: AnyEndpoint, params: unknown, position: Buffer) =>
    createHmac('sha256', key)
      .update(`${JSON.stringify([endpointName(declared), params ?? null])}\n`)
      .update(position)
      .digest()
      .subarray(0, tagBytes)
  return {
    open(declared, params, query) {
      const { cursor } = (query ?? {}) as { readonly cursor?: unknown }
      if (typeof cursor !== 'string') return query
      const bytes = Buffer.from(cursor, 'base64url')
      // Node ignores characters outside the alphabet and unused bits: a cursor has one spelling only.
      if (bytes.length < tagBytes || bytes.toString('base64url') !== cursor) {
        throw new InvalidCursor()
      }
      const position = bytes.subarray(tagBytes)
      const tag = computeTag(declared, params, position)
      if (!timingSafeEqual(tag, bytes.subarray(0, tagBytes))) throw new InvalidCursor()
      return { ...query, cursor: position.toString() }
    },
    seal(declared, params, response) {
      const { meta } = (response ?? {}) as { readonly meta?: { readonly cursor?: unknown } }
      if (typeof meta?.cursor !== 'string') return response
      const position = Buffer.from(meta.cursor)
      const cursor = Buffer.concat([computeTag(declared, params, position), position])
      return { ...response, meta: { ...meta, cursor: cursor.toString('base64url') } }
    },
  }
}
