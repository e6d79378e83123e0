import { describe, expect, test } from 'vitest'
import { compose, seededRandom } from '../../test/credential-samples.ts'
import { findContinued, maskContinued } from './continued-token.ts'

const random = seededRandom(41)
const token = compose(random, 'ghp_{alphanumeric:36}')
const [first, rest] = [token.slice(0, 18), token.slice(18)]

describe('a token that begins at the end of the text before', () => {
  test.each([
    ['', rest, ''],
    ['', rest, ' is the rest'],
    ['\n  ', rest, '.'],
  ])('is found in %j and what follows', (space, value, after) => {
    const found = findContinued(`Deploy with ${first}\n`, space + value + after)
    expect(found).toMatchObject({ type: 'github_token', blocks: true, start: space.length })
    expect(found?.end).toBe(space.length + value.length)
    expect(found?.preview).toBe(`ghp_…${token.slice(-2)}`)
  })

  test('is found after a long text', () => {
    expect(findContinued(`${'word '.repeat(10_000)}${first}`, rest)).toBeDefined()
  })
})

test.each([
  ['text after a whole token', `Deploy with ${token}`, 'Thanks, that is all'],
  ['a token of its own', 'Deploy with', token],
  ['a token after another one', token, compose(random, 'ghp_{alphanumeric:36}')],
  ['text after the start of a token', first, 'What is missing?'],
  ['random text after words', 'The id is', rest],
  ['nothing', '', ''],
])('%s is not the rest of a token', (_, before, text) => {
  expect(findContinued(before, text)).toBeUndefined()
})

test('both parts of a token are masked in their texts', () => {
  expect(maskContinued(`Deploy with ${first} \n`, `\n ${rest}, please`)).toEqual([
    'Deploy with …',
    '\n …, please',
  ])
  const long = 'word '.repeat(10_000)
  expect(maskContinued(long + first, `${rest} ${long}`)).toEqual([`${long}…`, `… ${long}`])
  expect(maskContinued('Hello', 'there')).toEqual(['Hello', 'there'])
})
