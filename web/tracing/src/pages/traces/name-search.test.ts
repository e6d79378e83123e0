import { describe, expect, test } from 'vitest'
import { toNameSearch } from './name-search.ts'

describe('a search for words', () => {
  test('becomes a search for a name, and keeps the other filters', () => {
    expect(toNameSearch({ q: 'first trace', status: 'ERROR', live: 'off' })).toEqual({
      name: 'first trace',
      status: 'ERROR',
      live: 'off',
    })
  })

  test('loses the marks of prefixes, which names have not', () => {
    expect(toNameSearch({ q: ' refun* ord*er pol* ' })).toEqual({ name: 'refun ord*er pol' })
  })

  test.each([
    ['without words', { status: 'ERROR' }],
    ['beside a name', { q: 'first', name: 'trace' }],
    ['of marks only', { q: '*' }],
    ['longer than a name', { q: 'x'.repeat(513) }],
  ] as const)('is no search for a name %s', (_situation, search) => {
    expect(toNameSearch(search)).toBeUndefined()
  })
})
