import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openEventReader } from './event-lines.ts'

function read(chunks: readonly Uint8Array[], bytesMax = 1000): string[] | 'too long' {
  const reader = openEventReader(bytesMax)
  const events: string[] = []
  for (const chunk of chunks) {
    const found = reader.push(chunk)
    if (found === undefined) return 'too long'
    events.push(...found.map(toText))
  }
  return [...events, ...(reader.end() ?? []).map(toText)]
}

const toText = (data: Uint8Array) => Buffer.from(data).toString()
const readText = (text: string, bytesMax?: number) => read([Buffer.from(text)], bytesMax)

describe('the data of events', () => {
  test.each([
    ['lines that end with LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['lines that end with CR LF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['lines that end with CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['no space after the colon', 'data:a\n\n', ['a']],
    ['several lines', 'data: {\ndata: }\n\n', ['{\n}']],
    ['other fields and comments', ': wait\nevent: x\nid: 1\ndata: a\nretry: 1\n\n', ['a']],
    ['fields that only begin like data', 'database: x\n\n', []],
    ['no blank line at the end', 'data: a\n\ndata: b', ['a', 'b']],
    ['blank lines', '\n\n\n\r\n', []],
  ])('come from %s', (_what, text, events) => {
    expect(readText(text)).toEqual(events)
  })

  test('are the same however the bytes are divided', () => {
    const pieces = fc.array(
      fc.constantFrom('data: ', 'data:', 'é', '{"a":1}', '\n', '\r', '\r\n', ': c', 'event: x'),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(200), { maxLength: 20 }), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''))
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
        const chunks = at.slice(1).map((end, n) => bytes.subarray(at[n], end))
        expect(read(chunks)).toEqual(read([bytes]))
      }),
    )
  })

  test('beyond the limit are refused, in one line or several, before the end of the line', () => {
    expect(readText(`data: ${'a'.repeat(90)}\n\n`, 100)).toHaveLength(1)
    expect(readText('a'.repeat(101), 100)).toBe('too long')
    expect(readText(`data: ${'a'.repeat(40)}\n`.repeat(3), 100)).toBe('too long')
    expect(readText(`data: ${'a'.repeat(40)}\n\n`.repeat(30), 100)).toHaveLength(30)
  })

  test('are found in one search of the bytes, also where many lines end with CR and none with LF', () => {
    let searched = 0
    class Counted extends Uint8Array<ArrayBuffer> {
      override indexOf(value: number, from = 0): number {
        const found = super.indexOf(value, from)
        searched += (found === -1 ? this.length : found + 1) - from
        return found
      }
    }
    expect(read([new Counted(new ArrayBuffer(10_000)).fill(13)])).toEqual([])
    expect(searched).toBeLessThanOrEqual(20_000)
  })
})
