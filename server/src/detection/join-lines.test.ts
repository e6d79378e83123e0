import { describe, expect, test } from 'vitest'
import { compose, seededRandom } from '../../test/credential-samples.ts'
import { detect } from './detect.ts'

const random = seededRandom(37)
const found = (text: string) =>
  detect(text).map(({ type, start, end }) => [type, text.slice(start, end)])

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ sub: 'ana', iss: 'assay' })}.${compose(random, '{base64url:342}')}`
const session = compose(random, 'IQoJb3JpZ2lu{base64:700}')

const inLines = (value: string, width: number, by: string) =>
  value.match(new RegExp(`.{1,${width}}`, 'g'))?.join(by) ?? ''

describe('a long token in the lines of an encoded text is found whole', () => {
  test.each([
    ['76 columns', 76, '\n'],
    ['64 columns', 64, '\r\n'],
    ['76 columns of an old Mac', 76, '\r'],
    ['76 columns in JSON', 76, '\\r\\n'],
    ['76 columns in JSON inside JSON', 76, '\\\\n'],
    ['60 quoted columns', 60, '\n> '],
    ['a continued command', 70, '\\\n  '],
  ])('%s', (_, width, by) => {
    for (const [type, value] of [
      ['jwt', jwt],
      ['aws_session_token', session],
    ] as const) {
      const lines = inLines(value, width, by)
      expect(found(`token=${lines} \nThanks`)).toEqual([[type, lines]])
      expect(found(`The token\n${lines}\nThanks, Ana`)[0]?.[1]).toContain(lines)
    }
  })
})

test('a list of tokens is one finding for each', () => {
  for (const shape of ['glpat-{base64url:40}', 'ghp_{alphanumeric:36}', 'tk_live_{hex:48}']) {
    const tokens = Array.from({ length: 6 }, () => compose(random, shape))
    expect(found(tokens.join('\n')).map(([, value]) => value)).toEqual(tokens)
  }
})

describe('nothing is found', () => {
  const hash = () => compose(random, '{hex:32}')
  test.each([
    ['in a table with a short cell before a hash', `SK\t${hash()}\nkey-\t${hash()}`],
    ['in a list of hashes', Array.from({ length: 20 }, hash).join('\n')],
    ['in an encoded image', inLines(compose(random, '{base64:20000}'), 76, '\n')],
  ])('%s', (_, text) => {
    expect(found(text)).toEqual([])
  })
})
