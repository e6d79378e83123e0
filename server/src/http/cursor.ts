import { createHmac, timingSafeEqual } from 'node:crypto'
import { type AnyEndpoint, endpointName, invalidCode, replyForm } from '@assay/contract/endpoint.ts'
import { InvalidCursor } from '../platform/failure.ts'

/*
 * Cursors of paged lists. A handler works with the position of its store; a client gets it as a cursor that is
 * authenticated and bound to the endpoint and its path parameters or slugs, so one that was forged, or issued for
 * another project, is refused before the handler runs.
 */

export interface Cursors {
  /** The query with the position in place of the cursor. Throws `InvalidCursor`. */
  open<Query>(declared: AnyEndpoint, params: unknown, query: Query): Query
  /** The response to a query, with the cursor in place of the position. */
  seal<Response>(
    declared: AnyEndpoint,
    params: unknown,
    query: unknown,
    response: Response,
  ): Response
}

const tagBytes = 16

export function openCursors(key: Buffer): Cursors {
  const computeTag = (declared: AnyEndpoint, scope: unknown, position: Buffer) =>
    createHmac('sha256', key)
      .update(`${JSON.stringify([endpointName(declared), scope])}\n`)
      .update(position)
      .digest()
      .subarray(0, tagBytes)
  const sealPosition = (declared: AnyEndpoint, scope: unknown, text: string) => {
    const position = Buffer.from(text)
    const tag = computeTag(declared, scope, position)
    return Buffer.concat([tag, position]).toString('base64url')
  }
  return {
    open(declared, params, query) {
      const { cursor } = (query ?? {}) as { readonly cursor?: unknown }
      if (typeof cursor !== 'string') return query
      const refused = () => new InvalidCursor(invalidCode(declared, 'query'))
      const bytes = Buffer.from(cursor, 'base64url')
      // Node ignores characters outside the alphabet and unused bits: a cursor has one spelling only.
      if (bytes.length < tagBytes || bytes.toString('base64url') !== cursor) {
        throw refused()
      }
      const position = bytes.subarray(tagBytes)
      const tag = computeTag(declared, scopeOf(params, query), position)
      if (!timingSafeEqual(tag, bytes.subarray(0, tagBytes))) throw refused()
      return { ...query, cursor: position.toString() }
    },
    seal(declared, params, query, response) {
      const { meta, cursor } = (response ?? {}) as Paged & { readonly meta?: Paged }
      const sealed = (text: string) => sealPosition(declared, scopeOf(params, query), text)
      if (typeof meta?.cursor === 'string')
        return { ...response, meta: { ...meta, cursor: sealed(meta.cursor) } }
      if (replyForm(declared) === 'bare' && typeof cursor === 'string')
        return { ...response, cursor: sealed(cursor) }
      return response
    },
  }
}

interface Paged {
  readonly cursor?: unknown
}

/** The path parameters, or the slugs of a query. */
function scopeOf(params: unknown, query: unknown): unknown {
  const { org, project } = (query ?? {}) as { readonly org?: string; readonly project?: string }
  return params ?? (org === undefined ? null : [org, project])
}
