import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findQuantities } from './quantities.ts'

const valuesIn = (text: string) => findQuantities(text).map(({ kind, value }) => `${kind} ${value}`)

test.each([
  ['1,234.50 euros', ['number 1234.5']],
  ['1 234 567 people', ['number 1234567']],
  ['1.234.567 people', ['number 1234567']],
  ['3,5 kg', ['number 3.5']],
  ['$4.2 million, 3bn, 12k', ['number 4200000', 'number 3000000000', 'number 12000']],
  ['15%, 2.5 percent', ['percent 15', 'percent 2.5']],
  ['-5°C to 7°C', ['number -5', 'number 7']],
  ['5-7 days', ['number 5', 'number 7']],
  ['20km and 7h', ['number 20', 'number 7']],
  ['March 5, 2026', ['date 20260305']],
  ['5th of March 2026', ['date 20260305']],
  ['2026-03-05', ['date 20260305']],
  ['3/5/2026 or 5.3.2026', ['date 20260305', 'date 20260305']],
  ['on May 5', ['date 505']],
  ['2:30 pm, 14:30, 9 am', ['time 870', 'time 870', 'time 540']],
  ['2026-03-05T14:30:00Z', ['date 20260305', 'time 870']],
  ['GPT-4, A4, v1.2.3, ISO-8601, ORD-12-34, file_2.txt, #77, 555-123-4567', []],
])('%s', (text, values) => {
  expect(valuesIn(text)).toEqual(values)
})

test('a number is found in all its spellings, at its position', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.integer({ min: 0, max: 2 }),
      (n, decimals) => {
        const value = n / 10 ** decimals
        const plain = value.toFixed(decimals)
        const grouped = value.toLocaleString('en-US', { minimumFractionDigits: decimals })
        for (const text of [plain, grouped]) {
          const found = findQuantities(`about ${text} euros`)
          expect(found).toMatchObject([{ value, start: 6, end: 6 + text.length }])
        }
      },
    ),
  )
})

test('quantities are in order and do not overlap', () => {
  const piece = fc.constantFrom(
    '1',
    '12',
    ',',
    '.',
    ' ',
    'May',
    '%',
    ':',
    '-',
    '/',
    '2026',
    'k',
    'pm',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      let end = 0
      for (const one of findQuantities(pieces.join(''))) {
        expect(one.start).toBeGreaterThanOrEqual(end)
        expect(Number.isFinite(one.value)).toBe(true)
        end = one.end
      }
    }),
  )
})
