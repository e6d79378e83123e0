import { describe, expect, test } from 'vitest'
import { hasMarkdown } from './markdown-signs.ts'

describe('a text is rendered as Markdown', () => {
  test.each([
    ['a heading', '# Plan'],
    ['a list', 'Items:\n- one\n- two'],
    ['a numbered list', '1. one'],
    ['code', 'call `run`'],
    ['a block of code', '```\na\n```'],
    ['bold text', 'a **bold** word'],
    ['emphasis', 'an *important* word'],
    ['a link', '[docs](https://example.org)'],
    ['a bare address', 'see https://example.org'],
    ['a table', '| a | b |\n| - | - |'],
    ['a quotation', '> said'],
  ])('with %s', (_sign, text) => {
    expect(hasMarkdown(text)).toBe(true)
  })

  test.each([
    ['prose', 'Where is my order?\n\nIt was sent on May 4, I think.'],
    ['names with underscores', 'the field total_cost_usd'],
    ['a calculation', '2 * 3 - 1 = 5'],
    ['a very long text', `# ${'a'.repeat(100_000)}`],
  ])('but not %s', (_situation, text) => {
    expect(hasMarkdown(text)).toBe(false)
  })
})
