import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasManyValues, scanJson } from './json-scan.ts'

const encoder = new TextEncoder()
const scan = (text: string, maxDepth: number, maxContainers: number) =>
  scanJson(encoder.encode(text), { maxDepth, maxContainers })

describe('the check of JSON before it is parsed', () => {
  test('refuses exactly what exceeds the depth or the number of containers', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.boolean(), (value, isSpaced) => {
        const text = JSON.stringify(value, null, isSpaced ? 1 : 0)
        const { depth, containers } = measured(value)
        expect(scan(text, depth, containers)).toBe('ok')
        if (containers > 0) expect(scan(text, depth, containers - 1)).toBe('too-many')
        if (depth > 0) expect(scan(text, depth - 1, containers)).toBe('too-deep')
      }),
    )
  })

  test('refuses documents with more values than allowed, whatever is in their strings', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const bytes = encoder.encode(JSON.stringify(value))
        const { values, starts } = counted(value)
        expect(hasManyValues(bytes, starts)).toBe(false)
        expect(hasManyValues(bytes, values - 1)).toBe(true)
      }),
    )
  })

  test.each([
    ['a bracket after an escaped quote', '["\\"[[[", "\\\\"]'],
    ['an escaped quote far into a long string', `["${'x'.repeat(200)}\\"[[["]`],
    ['a long run of backslashes before the closing quote', `["${'\\\\'.repeat(100)}", "[[["]`],
    ['a backslash as the last byte looked at one by one', `["${'x'.repeat(47)}\\"[[["]`],
    ['many escaped quotes', `["${'\\"['.repeat(100)}"]`],
  ])('is not misled by %s', (_situation, text) => {
    expect(JSON.parse(text)).toHaveLength(text.includes(', ') ? 2 : 1)
    expect(scan(text, 1, 1)).toBe('ok')
  })

  test('terminates on an unfinished string', () => {
    for (const text of ['"', '"\\', `"${'x'.repeat(100)}`, `"${'x'.repeat(47)}\\`]) {
      expect(scan(text, 1, 1)).toBe('ok')
    }
  })
})

function measured(value: unknown): { depth: number; containers: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, containers: 0 }
  const inner = Object.values(value).map(measured)
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    containers: 1 + inner.reduce((sum, { containers }) => sum + containers, 0),
  }
}

/** All values; and what is counted in their place: the document, each comma and each opening bracket. */
function counted(value: unknown): { values: number; starts: number } {
  const counts = { values: 0, starts: 1 }
  const visit = (one: unknown): void => {
    counts.values += 1
    if (typeof one !== 'object' || one === null) return
    const inner: unknown[] = Object.values(one)
    counts.starts += 1 + Math.max(inner.length - 1, 0)
    for (const each of inner) visit(each)
  }
  visit(value)
  return counts
}
