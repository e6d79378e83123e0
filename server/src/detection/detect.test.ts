import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compose, namedShapes, seededRandom, tokenShapes } from '../../test/credential-samples.ts'
import { detect } from './detect.ts'
import { maskBlocking, maskFoundIn } from './mask-findings.ts'

/** Lone surrogates, too. */
const anyCharacter = fc.integer({ min: 0, max: 0x1ffff }).map((code) => String.fromCodePoint(code))
const random = seededRandom(11)
const named = namedShapes.map(([, shape]) => compose(random, shape).split('=>'))
const values = [
  ...tokenShapes.map(([, shape]) => compose(random, shape)),
  '536-22-8726',
  'ssn 449874100',
  'CPF 390.533.447-05',
  'RSSMRA85T10A562S',
]
const snippet = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(...values),
  fc.constantFrom(...named).map((parts) => parts.join('')),
  fc.constantFrom(...values).map((value) => value.slice(0, 20)),
  fc.constantFrom(
    ...[
      'password',
      '://',
      '@',
      '=',
      ': ',
      '"',
      '\n',
      '\\',
      '\t',
      '\\n',
      '\\"',
      '%3D',
      'ssn',
      'bsn ',
      '111222333',
      '-----BEGIN ',
    ],
  ),
)
const anyText = fc.array(snippet, { maxLength: 12 }).map((parts) => parts.join(''))
const runs = { numRuns: 1000 }

describe('findings', () => {
  test('are sorted ranges of the text, do not overlap, and do not reveal the value', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let lastEnd = 0
        for (const { category, start, end, preview, confidence } of detect(text)) {
          expect(start).toBeGreaterThanOrEqual(lastEnd)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          // Without a public prefix, only separators and the last two characters are shown.
          const isMasked = category === 'credential' ? /….{0,2}$/s : /^(?:…|[•./ -]{4,}).{0,2}$/s
          expect(preview).toMatch(isMasked)
          const shownLength = preview.replace(/[…•./ -]/g, '').length
          expect(end - start - shownLength).toBeGreaterThanOrEqual(4)
          expect(confidence).toBeGreaterThan(0)
          expect(confidence).toBeLessThanOrEqual(1)
          lastEnd = end
        }
      }),
      runs,
    )
  })

  test('are the same every time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(detect(text)).toEqual(detect(text))
      }),
      runs,
    )
  })

  test('remain when text is added around a value', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...values), anyText, (before, value, after) => {
        const start = before.length + 1
        const findings = detect(`${before} ${value} ${after}`)
        for (const alone of detect(value)) {
          expect(
            findings.some(
              (one) =>
                one.blocks && one.start <= start + alone.start && one.end >= start + alone.end,
            ),
          ).toBe(true)
        }
      }),
      runs,
    )
  })

  test('block for credentials and government identifiers only', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { category, blocks } of detect(text)) {
          expect(blocks).toBe(category === 'credential' || category === 'government_id')
        }
      }),
    )
  })
})

test.each([
  'gsk_{alphanumeric:52}',
  'xoxb-{digits:12}-{digits:13}-{alphanumeric:24}',
  'ya29.{base64url:120}',
])('a token that follows %s without a space is found, too', (shape) => {
  for (const [, following] of tokenShapes.filter(([, one]) => !one.startsWith('{'))) {
    const text = compose(random, shape) + compose(random, following)
    expect(maskBlocking([text])[0]?.length, text).toBeLessThan(40)
  }
})

describe('the preview of an identifier has its shape', () => {
  test.each([
    ['536-22-8726', '•••-••-••••'],
    ['ssn 536228726', '•••••••••'],
    ['cpf 529.982.247-25', '•••.•••.•••-25'],
    ['4111 1111 1111 1111', '•••• •••• •••• ••11'],
    ['{"ssn":"536\\u002d22\\u002d8726"}', '•••-••-••••'],
  ])('%s', (text, preview) => {
    expect(detect(text).map((finding) => finding.preview)).toEqual([preview])
  })

  test('but that of a password does not', () => {
    expect(detect('my password is hunter2x!').map(({ preview }) => preview)).toEqual(['…'])
  })
})

describe('a masked text', () => {
  test('contains no found value', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const findings = detect(text)
        const [masked] = maskFoundIn([{ text, findings }])
        for (const { start, end } of findings) {
          expect(masked).not.toContain(text.slice(start, end))
        }
      }),
      runs,
    )
  })

  test('has nothing that blocks, whatever masking uncovers', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, other) => {
        for (const masked of maskBlocking([text, other])) {
          expect(detect(masked).filter(({ blocks }) => blocks)).toEqual([])
        }
      }),
      runs,
    )
  })

  test('has the preview in place of a value, and keeps the rest', () => {
    const [value = ''] = values
    const text = `Use ${value} in staging, ana@corp.io. My ssn is 536-22-8726!`
    expect(maskBlocking([text])).toEqual([
      `Use tk_live_…${value.slice(-2)} in staging, ana@corp.io. My ssn is •••-••-••••!`,
    ])
  })

  test('hides every other occurrence of a value, also in other texts', () => {
    expect(maskBlocking(['ssn 449874100; order 449874100', 'for 449874100'])).toEqual([
      'ssn •••••••••; order •••••••••',
      'for …',
    ])
  })
})
