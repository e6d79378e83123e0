import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lastInstant } from '../../domain/instant.ts'
import { cursorOf, positionOf } from './cursor.ts'

describe('a cursor', () => {
  test('brings its position back, whatever the id', () => {
    const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: lastInstant }), id, (startedAt, text) => {
        const position = { startedAt, id: text.toWellFormed() }
        expect(positionOf(cursorOf(position))).toEqual(position)
      }),
    )
  })

  test.each([
    '',
    'nonsense',
    '../..',
    'null',
    Buffer.from('12').toString('base64url'),
    Buffer.from('12 ').toString('base64url'),
    Buffer.from('-1 a').toString('base64url'),
    Buffer.from('99999999999999999999 a').toString('base64url'),
    Buffer.from('9999999999999999999 a').toString('base64url'),
    Buffer.from('012 a').toString('base64url'),
    `${Buffer.from('12 a').toString('base64url')}=`,
  ])('made by somebody else is refused: %j', (cursor) => {
    expect(() => positionOf(cursor)).toThrow('cursor: must be meta.cursor of an earlier page')
  })
})
