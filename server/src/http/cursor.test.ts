import { allEndpoints } from '@assay/contract/all.ts'
import { listAuditLog } from '@assay/contract/audit-log.ts'
import { listConversations } from '@assay/contract/conversations.ts'
import { endpointName, replyForm } from '@assay/contract/endpoint.ts'
import { listTraceSessions, listTraceUsers } from '@assay/contract/stats.ts'
import { listTraces } from '@assay/contract/traces.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure, InvalidCursor } from '../platform/failure.ts'
import { openCursors } from './cursor.ts'

const cursors = openCursors(Buffer.alloc(32, 1))
const params = { projectId: 'mine' }
const sealed = (position: string, declared: typeof listTraces = listTraces) =>
  cursors.seal(declared, params, {}, { data: [], meta: { cursor: position } }).meta.cursor

describe('a cursor', () => {
  test('returns the position that it was issued for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const position = text.toWellFormed()
        const query = { limit: 5, cursor: sealed(position) }
        expect(cursors.open(listTraces, params, query)).toEqual({ limit: 5, cursor: position })
      }),
    )
  })

  test('is optional in queries and null on the last page', () => {
    expect(cursors.open(listTraces, params, { limit: 5 })).toEqual({ limit: 5 })
    expect(cursors.open(listTraces, params, undefined)).toBeUndefined()
    const last = { data: [], meta: { cursor: null } }
    expect(cursors.seal(listTraces, params, {}, last)).toBe(last)
  })

  const good = sealed('12 a')
  test.each<[string, typeof listTraces, object, string]>([
    ['empty', listTraces, params, ''],
    ['made up', listTraces, params, 'nonsense'],
    ['a position without authentication', listTraces, params, btoa('12 a')],
    ['cut short', listTraces, params, good.slice(0, -2)],
    ['changed', listTraces, params, `${good.slice(0, -1)}${good.endsWith('g') ? 'h' : 'w'}`],
    ['of another project', listTraces, { projectId: 'theirs' }, good],
    ['of another endpoint', listTraceUsers as unknown as typeof listTraces, params, good],
  ])('is refused: %s', (_why, declared, of, cursor) => {
    expect(() => cursors.open(declared, of, { cursor })).toThrow(InvalidCursor)
  })

  test('has one spelling: any other text that decodes to the same bytes is refused', () => {
    const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const inserted = fc.oneof(
      fc.constantFrom('=', '==', '.', '!', ' ', '\n', '=AAAA', '\0'),
      fc.string({ unit: 'grapheme', minLength: 1 }),
    )
    const edited = fc
      .record({
        position: fc.string(),
        inserted,
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ position, inserted, share }) => {
        const cursor = sealed(position)
        const at = Math.round(share * cursor.length)
        return { cursor, other: cursor.slice(0, at) + inserted + cursor.slice(at) }
      })
    const unusedBits = fc
      .record({ position: fc.string(), last: fc.constantFrom(...base64url.split('')) })
      .map(({ position, last }) => {
        const cursor = sealed(position)
        return { cursor, other: cursor.slice(0, -1) + last }
      })
    const alphabets = fc.string().map((position) => {
      const cursor = sealed(position)
      return { cursor, other: cursor.replaceAll('-', '+').replaceAll('_', '/') }
    })
    fc.assert(
      fc.property(fc.oneof(edited, unusedBits, alphabets), ({ cursor, other }) => {
        fc.pre(other !== cursor)
        expect(() => cursors.open(listTraces, params, { cursor: other })).toThrow(InvalidCursor)
      }),
    )
  })

  test('of one installation is refused by another', () => {
    const other = openCursors(Buffer.alloc(32, 2))
    expect(() => other.open(listTraces, params, { cursor: good })).toThrow(InvalidCursor)
  })

  test('of a bare response is in the response itself, and bound to the slugs of its query', () => {
    const slugs = { org: 'acme', project: 'shop', limit: 2 }
    const page = { conversations: [], cursor: '2026 a' }
    const { cursor } = cursors.seal(listConversations, undefined, slugs, page)
    const opened = (query: object) => cursors.open(listConversations, undefined, query)
    expect(opened({ ...slugs, cursor, q: 'a' })).toEqual({ ...slugs, q: 'a', cursor: '2026 a' })
    for (const query of [
      { ...slugs, cursor, org: 'other' },
      { ...slugs, cursor, project: 'other' },
      { ...slugs, cursor: btoa('2026 a') },
    ])
      expect(() => opened(query)).toThrow(
        new Failure('INVALID_QUERY', 'cursor must be cursor of an earlier page'),
      )
  })

  test('is used by every endpoint that has one in its query', () => {
    const paged = allEndpoints.filter(
      ({ query }) =>
        (query as { shape?: object } | undefined)?.shape !== undefined && 'cursor' in query.shape,
    )
    expect(paged).toEqual(expect.arrayContaining([listTraces, listTraceSessions, listAuditLog]))
    for (const { success, ...declared } of paged) {
      const form = replyForm({ success, ...declared })
      const { shape } = (form === 'bare' ? success.data : success.meta) as { shape: object }
      expect([endpointName({ success, ...declared }), 'cursor' in shape]).toEqual([
        expect.anything(),
        true,
      ])
    }
  })
})
