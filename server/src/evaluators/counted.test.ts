import { expect, test } from 'vitest'
import { allAre, someOf } from './counted.ts'

const calls = ['tool call', 'tool calls'] as const

test('counts in sentences have separators, and the only one is not called all 1', () => {
  expect(allAre(1, calls)).toBe('The only tool call is')
  expect(allAre(3333, calls)).toBe('All 3,333 tool calls are')
  expect(someOf(1, 1, calls)).toBe('The only tool call')
  expect(someOf(2, 3333, calls)).toBe('2 of 3,333 tool calls')
})
