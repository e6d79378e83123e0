import { describe, expect, test } from 'vitest'
import { type Command, matchingCommands } from './command-match.ts'

const command = (word: string, more: Partial<Command> = {}): Command => ({
  id: word,
  word,
  run: () => undefined,
  ...more,
})

const commands = [
  command('Traces'),
  command('Send traces'),
  command('Tracing keys'),
  command('Own prices', { also: 'cost override alias' }),
  command('Members', { hint: 'Example' }),
]

describe('a typed text', () => {
  test.each([
    ['', ['Traces', 'Send traces', 'Tracing keys', 'Own prices', 'Members']],
    ['  ', ['Traces', 'Send traces', 'Tracing keys', 'Own prices', 'Members']],
    ['tra', ['Traces', 'Tracing keys', 'Send traces']],
    ['TRA', ['Traces', 'Tracing keys', 'Send traces']],
    ['keys tra', ['Tracing keys']],
    ['cost', ['Own prices']],
    ['example', ['Members']],
    ['ices', ['Own prices']],
    ['traces prices', []],
  ])('%j finds %j', (text, expected) => {
    expect(matchingCommands(commands, text).map(({ word }) => word)).toEqual(expected)
  })
})
