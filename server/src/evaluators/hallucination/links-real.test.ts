import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { linksReal } from './links-real.ts'

const evaluate = (answer: string, result: unknown, question = 'Where?') =>
  linksReal.evaluate(
    sampleView([
      {
        kind: 'agent',
        input: { messages: [{ role: 'user', content: question }] },
        output: { text: answer },
      },
      ...(result === undefined ? [] : [{ kind: 'tool', name: 'find', output: result }]),
    ]),
    { siblings: [] },
  )

describe('a reference that occurs in the trace counts', () => {
  test.each([
    ['See [the page](https://shop.test/p/1).', { url: 'https://shop.test/p/1' }],
    ['See http://www.shop.test/p/1/#top!', 'at https://shop.test/p/1'],
    ['See https://shop.test.', 'at https://shop.test/p/1'],
    ['Write to Help@Shop.test, please.', { contact: 'help@shop.test' }],
    ['Your order is ORD-12345.', { id: 'ORD-12345' }],
    ['Your order is #12345.', { id: 12345 }],
    ['It is doi 10.1000/xyz123.', 'https://doi.org/10.1000/xyz123 10.1000/xyz123'],
    ['It is in /srv/app/main.ts.', '/srv/app\nmain.ts'],
    ['It is 3f2b8c1e-0a4d-4a57-9a3b-0d7f2c6e8b11.', ['3F2B8C1E-0A4D-4A57-9A3B-0D7F2C6E8B11']],
  ])('%s', (answer, result) => {
    expect(evaluate(answer, result)).toMatchObject({ status: 'scored', score: 1 })
  })
})

describe('a reference that occurs nowhere does not', () => {
  test.each([
    ['See https://shop.test/p/2', { url: 'https://shop.test/p/1' }, 0.5],
    ['See https://docs.shop.test/p', { url: 'https://shop.test/p/1' }, 0.5],
    ['See https://other.test/p/1', { url: 'https://shop.test/p/1' }, 0],
    ['Write to help@other.test', { contact: 'help@shop.test' }, 0],
    ['Your order is ORD-54321.', { id: 'ORD-12345' }, 0],
    ['It is in /srv/app/other.ts.', '/srv/app\nmain.ts', 0],
  ])('%s', (answer, result, score) => {
    const verdict = evaluate(answer, result)
    expect(verdict).toMatchObject({ score, evidence: [{ spanId: 's0' }] })
  })
})

test.each([
  'It follows ISO-9001 and UTF-8.',
  'Write to you@example.com.',
  '```\ncat /srv/app/main.ts\n```',
  'It is either/or.',
  'The gray tone #333 was used in FY2026.',
])('"%s" refers to nothing', (answer) => {
  expect(evaluate(answer, 'x').status).toBe('not_applicable')
})

test('a trace without results is not evaluated', () => {
  expect(evaluate('See https://shop.test/p/1', undefined).status).toBe('not_applicable')
})
