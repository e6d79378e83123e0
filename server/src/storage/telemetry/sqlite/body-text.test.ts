import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { SpanBody } from '../../../domain/span.ts'
import { body } from '../port/samples.ts'
import { findContentRange, parseBody, serializeBody } from './body-text.ts'

const long = (text: string) => JSON.stringify([{ role: 'user', content: text.repeat(40) }])
const json = (value: unknown) => JSON.stringify(value) as JsonText

function bodyWith(input: string, output: string, attributes: unknown): SpanBody {
  return {
    ...body,
    input: input as JsonText,
    output: output as JsonText,
    attributes: json(attributes),
  }
}

/** Encodes the body as bytes and decodes it again. */
function stored(of: SpanBody): SpanBody {
  return parseBody(Buffer.from(serializeBody(of)).toString())
}

describe('a body', () => {
  test.each([
    ['input and output are attributes', { in: long('a'), n: 1, out: long('b') }, true],
    ['output comes first', { out: long('b'), in: long('a') }, true],
    ['only the output is an attribute', { out: long('b') }, true],
    ['both are equal, in two attributes', { a: long('a'), b: long('a') }, true],
    ['input is part of a longer attribute', { in: `${long('a')} and more` }, false],
    ['input is an object among the attributes', { in: JSON.parse(long('a')) }, false],
    ['there are no attributes', {}, false],
  ])('is decoded unchanged, and stores repeated text once: %s', (_what, attributes, isOnce) => {
    const whole = bodyWith(long('a'), long('b'), attributes)
    expect(stored(whole)).toEqual(whole)
    const parts = Object.values(whole).reduce((sum, part) => sum + part.length, 0)
    expect(serializeBody(whole).length < parts).toBe(isOnce)
  })

  test('is decoded unchanged with a lone surrogate in it', () => {
    const half = long('\ud83d')
    const raw = `["${'x'.repeat(40)}\ud83d"]`
    for (const input of [half, raw]) {
      const whole = bodyWith(input, 'null', { in: input })
      expect(stored(whole).attributes).toEqual(whole.attributes)
    }
  })

  test('can be decoded from the format without deduplication', () => {
    expect(parseBody('2,4,2,2,2,2,2\n[]null{}[][]{}{}')).toEqual({
      input: '[]',
      output: 'null',
      attributes: '{}',
      events: '[]',
      links: '[]',
      resource: '{}',
      scope: '{}',
    })
  })

  test('of any texts is decoded unchanged, and its input and output are found in the bytes', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 }).map((each) => JSON.stringify(each))
    const content = fc.constantFrom('input', 'output', 'neither')
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.array(content, { maxLength: 4 }),
        (input, output, neither, repeated) => {
          const contents = { input, output, neither }
          const attributes = repeated.map((each, index) => [`k${index}`, contents[each]])
          const whole = bodyWith(input, output, Object.fromEntries(attributes))
          expect(stored(whole)).toEqual(whole)
          const bytes = Buffer.from(`before${serializeBody(whole)}`)
          const { inputStart, inputEnd, outputEnd } = findContentRange(bytes, 6, bytes.length)
          expect(bytes.toString('utf8', inputStart, inputEnd)).toBe(input)
          expect(bytes.toString('utf8', inputEnd, outputEnd)).toBe(output)
        },
      ),
      { numRuns: 300 },
    )
  })
})
