import { describe, expect, test } from 'vitest'
import { isExactNumber, parseExactly } from './exact-json.ts'
import { jsonPreview } from './json-preview.ts'
import { jsonMatches, jsonRows } from './json-rows.ts'

const order = '{"id":9007199254740993,"small":7,"list":[-9007199254740995,1e400]}'

describe('JSON with numbers that a double cannot represent', () => {
  test('is serialized as it was', () => {
    expect(JSON.stringify(parseExactly(order))).toBe(order)
  })

  test('has all other values as usual', () => {
    const text = '{"id":1234567890123456,"text":"9007199254740993","pi":3.1415926535897932}'
    expect(parseExactly(text)).toEqual(JSON.parse(text))
    expect(() => parseExactly('{')).toThrow(SyntaxError)
  })

  test('has such numbers as single rows, in previews and in searches', () => {
    const value = parseExactly(order) as { readonly id: unknown }
    expect(isExactNumber(value.id)).toBe(true)
    expect(isExactNumber(7)).toBe(false)
    const { rows } = jsonRows(value, new Map(), 100)
    expect(rows.find(({ path }) => path === 'id')?.row).toEqual({ is: 'leaf', value: value.id })
    expect(jsonPreview(value)).toContain('id: 9007199254740993')
    expect(jsonMatches(value, '740993', 9).matches).toEqual([
      { path: 'id', excerpt: '9007199254740993' },
    ])
  })
})
