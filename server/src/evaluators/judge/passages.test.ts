import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBlock } from './blocks.ts'
import { passagesOf } from './passages.ts'

describe('passages', () => {
  test('are the sentences of a short text, and a block of code is one', () => {
    expect(passagesOf('It is here. Is it? Yes.\n```\na. b. c.\n```\nDone!')).toEqual([
      'It is here.',
      'Is it?',
      'Yes.',
      '```\na. b. c.\n```',
      'Done!',
    ])
  })

  test('at the ends of a long text are single sentences', () => {
    const text = Array.from({ length: 100 }, (_, n) => `Sentence ${n} is here.`).join(' ')
    const passages = passagesOf(text)
    expect(passages).toHaveLength(40)
    expect([passages[0], passages[9]]).toEqual(['Sentence 0 is here.', 'Sentence 9 is here.'])
    expect(passages[10]).toContain('Sentence 13 is here.')
    expect(passages.slice(-2)).toEqual(['Sentence 98 is here.', 'Sentence 99 is here.'])
    expect(passages.join(' ')).toBe(text)
  })

  test('are parts of any text, in its order, and at most 40', () => {
    const sentence = fc.string({ unit: 'grapheme', maxLength: 2000 })
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 80 }), (sentences) => {
        const text = sentences.join('. ')
        const passages = passagesOf(text)
        expect(passages.length).toBeLessThanOrEqual(40)
        for (const one of passages) expect(text.includes(one)).toBe(true)
      }),
    )
  })
})

describe('a block', () => {
  test('of any size keeps its beginning and its end, and names the gap', () => {
    const segment = fc.record({ spanId: fc.string({ minLength: 1 }), text: fc.string() })
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1 }),
        fc.integer({ min: 0, max: 2000 }),
        (all, max) => {
          const { segments } = toBlock('run', all, max)
          const length = segments.reduce((sum, { text }) => sum + text.length, 0)
          const whole = all.reduce(
            (sum, { text, spanId }) => sum + text.length + spanId.length + 60,
            0,
          )
          expect(length).toBeLessThanOrEqual(max)
          if (whole <= max) expect(segments).toEqual(all)
          else
            expect(segments.every(({ text }) => all.some((one) => one.text.includes(text)))).toBe(
              true,
            )
        },
      ),
    )
    const [start, end] = toBlock('run', [{ spanId: 's', text: 'x'.repeat(500) }], 200).segments
    expect([start?.title, end?.title]).toEqual([undefined, '422 characters left out; continued:'])
  })
})
