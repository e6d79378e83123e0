import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldByte, tokenizeBytes } from './byte-words.ts'
import { tokenize } from './words.ts'

function scanned(text: string, isJson: boolean): string[] {
  const bytes = Buffer.from(`(${text})`)
  const words: string[] = []
  const hashes = new Map<string, number>()
  tokenizeBytes(bytes, 1, bytes.length - 1, isJson, {
    take(hash, from, start, end) {
      const word = Buffer.from(from.subarray(start, end).map((byte) => foldByte[byte]!)).toString()
      words.push(word)
      if ((hashes.get(word) ?? hash) !== hash) throw new Error(`two hashes of ${word}`)
      hashes.set(word, hash)
    },
  })
  return words
}

const characters = fc.array(
  fc.oneof(
    fc.constantFrom(...Array.from('aZ09 -_"/\\\n\t.')),
    fc.constantFrom(...Array.from('éÅßﬁ½™²ΣςЖ天気サーอา날씨𠮷🙂’…\u00a0\u0301\u200d')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
  ),
  { maxLength: 40 },
)

describe('the byte tokenizer', () => {
  test('finds the same words as the tokenizer of text', () => {
    fc.assert(
      fc.property(characters, (parts) => {
        const text = parts.join('')
        expect(scanned(text, false)).toEqual(tokenize(Buffer.from(text).toString()))
      }),
      { numRuns: 500 },
    )
  })

  test('finds the words of the decoded text in JSON, however it is escaped', () => {
    const texts = fc.array(fc.tuple(characters, fc.boolean()), { maxLength: 4 })
    fc.assert(
      fc.property(texts, (parts) => {
        // Escapes that do not encode a character separate words.
        const json = parts.map(([part, isEscaped]) => {
          const quoted = JSON.stringify(part.join('').replaceAll(/[\ud800-\udfff]/g, ' '))
          return isEscaped ? quoted.replaceAll(/[\u0080-\uffff]/g, escaped) : quoted
        })
        const read = parts.map(([part]) => part.join('').replaceAll(/[\ud800-\udfff]/g, ' '))
        expect(scanned(`[${json.join(',')}]`, true)).toEqual(tokenize(read.join('\n')))
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['of ASCII', 'x ', 1, true],
    ['of three bytes each', '，', 1, true],
    ['escaped', '\\u3002', 1, true],
    ['of ASCII', 'xy', 0, false],
  ])('handles 100,000 characters: %s', (_what, filler, spare, isFound) => {
    const characterCount = filler.startsWith('\\') ? 1 : filler.length
    const fillers = filler.repeat(100_000 / characterCount - 10 * spare)
    expect(scanned(`${fillers} needle`, true).includes('needle')).toBe(isFound)
    expect(scanned(`${filler.repeat(100_000 / characterCount)} needle`, true)).not.toContain(
      'needle',
    )
  })
})

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
