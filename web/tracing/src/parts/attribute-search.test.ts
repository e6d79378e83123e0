import { describe, expect, test } from 'vitest'
import { toAttributeSearch } from './attribute-search.ts'

describe('the traces with the same attribute', () => {
  test.each([
    ['a text', 'http.route', '/refund?a=b', 'http.route=/refund?a=b'],
    ['a number', 'retries', 0, 'retries=0'],
    ['a boolean', 'is_retry', false, 'is_retry=false'],
  ])('are found by %s', (_what, name, value, filter) => {
    expect(toAttributeSearch(name, value)).toEqual({ attribute: [filter], mode: 'all' })
  })

  test.each([
    ['a list', 'tags', ['a']],
    ['an object', 'usage', { a: 1 }],
    ['nothing', 'none', null],
    ['an empty text', 'empty', ''],
    ['a name that contains the separator', 'a=b', 'c'],
    ['a very long text', 'prompt', 'a'.repeat(5000)],
  ])('are not searched by %s', (_what, name, value) => {
    expect(toAttributeSearch(name, value)).toBeUndefined()
  })
})
