import { describe, expect, test } from 'vitest'
import { type Command, matchingCommands } from './command-match.ts'

const command = (label: string, more: Partial<Command> = {}): Command => ({
  id: label,
  label,
  run: () => undefined,
  ...more,
})

const commands = [
  command('Traces'),
  command('Send traces'),
  command('Tracing keys'),
  command('Custom prices', { keywords: 'cost override alias' }),
  command('Members', { hint: 'Example' }),
]

describe('the typed text', () => {
  test.each([
    ['', ['Traces', 'Send traces', 'Tracing keys', 'Custom prices', 'Members']],
    ['  ', ['Traces', 'Send traces', 'Tracing keys', 'Custom prices', 'Members']],
    ['tra', ['Traces', 'Tracing keys', 'Send traces']],
    ['TRA', ['Traces', 'Tracing keys', 'Send traces']],
    ['keys tra', ['Tracing keys']],
    ['cost', ['Custom prices']],
    ['example', ['Members']],
    ['ices', ['Custom prices']],
    ['traces prices', []],
  ])('%j finds %j', (text, expected) => {
    expect(matchingCommands(commands, text).map(({ label }) => label)).toEqual(expected)
  })
})
