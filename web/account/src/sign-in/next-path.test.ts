import { describe, expect, test } from 'vitest'
import { isNextPath } from './next-path.ts'

describe('the path after sign-in', () => {
  test.each(['/', '/p/1/traces?name=a%2Fb#x', '/p/1/traces/a%2F%2Fb'])('can be %s', (path) => {
    expect(isNextPath(path)).toBe(true)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '/p\r/x',
    'traces',
    '',
  ])('is never %j', (next) => {
    expect(isNextPath(next)).toBe(false)
  })
})
