import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventReader } from './event-stream.ts'

function readIn(pieces: readonly string[]): readonly string[] {
  const read = eventReader()
  return pieces.flatMap((piece) => read(piece))
}

describe('a stream of events', () => {
  test('has the same messages regardless of chunk boundaries', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ':', ' ', '{', 'é', '🌧') })
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
    const cuts = fc.array(fc.nat({ max: 8 }))
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1 })),
        lineEnd,
        cuts,
        (messages, end, sizes) => {
          const stream = messages
            .map((lines) => lines.map((one) => `data: ${one}${end}`).join(`: comment${end}`) + end)
            .join('')
          const pieces: string[] = []
          let at = 0
          for (const size of sizes) {
            pieces.push(stream.slice(at, at + size))
            at += size
          }
          // A trailing carriage return ends the line only once the next character is known.
          pieces.push(stream.slice(at), ': end\n')
          expect(readIn(pieces)).toEqual(messages.map((lines) => lines.join('\n')))
        },
      ),
    )
  })

  test('joins the data lines of one message and strips one leading space from each', () => {
    expect(readIn(['data:one\ndata:  two\n\n'])).toEqual(['one\n two'])
  })

  test('returns nothing for comments alone or an unfinished message', () => {
    expect(readIn([': still here\n\n', 'data: half\n'])).toEqual([])
  })
})
