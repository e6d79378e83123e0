import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { structuredOutput } from './structured-output.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, note: { type: 'string' } },
  required: ['city', 'days'],
  additionalProperties: false,
}
const withFormat = (response_format: unknown, content: string) =>
  structuredOutput.evaluate(
    sampleView([
      { kind: 'agent', output: { text: 'Three days in Oslo.' } },
      {
        kind: 'llm',
        input: { messages: [{ role: 'user', content: 'Where?' }], response_format },
        output: { messages: [{ role: 'assistant', content }] },
      },
    ]),
    { siblings: [] },
  )
const withSchema = (content: string, expected: unknown = schema) =>
  structuredOutput.evaluate(
    sampleView([
      { kind: 'agent', output: { text: content }, attributes: { 'eval.schema': expected } },
    ]),
    { siblings: [] },
  )
const format = { type: 'json_schema', json_schema: { name: 'place', schema } }

test.each([
  ['{"city": "Oslo", "days": 3}', 1],
  ['```json\n{"city": "Oslo", "days": 3}\n```', 0.5],
  ["{city: 'Oslo', days: 3}", 0.5],
  ['{"city": "Oslo", "days": "3"}', 0.25],
  ['{"city": "Oslo"}', 0.25],
  ['{"city": "Oslo", "days": 3, "country": "NO"}', 0.5],
  ['{"city": "Oslo", "days": 3, "note": null}', 0.5],
  ['[]', 0],
  ['Three days in Oslo.', 0],
])('%s scores %f', (text, score) => {
  expect(withSchema(text)).toMatchObject({ score })
  expect(withFormat(format, text)).toMatchObject({ score })
})

test('what does not fit is quoted, with the keyword', () => {
  expect(withSchema('{"city": "Oslo", "days": "3"}')).toMatchObject({
    issues: ['The answer does not fit its schema: "days" must be integer (type).'],
    evidence: [{ spanId: 's0', quote: '{"city": "Oslo", "days": "3"}' }],
  })
})

describe('without a usable schema', () => {
  test('any JSON is right if JSON was requested', () => {
    expect(withFormat({ type: 'json_object' }, '{"a": 1}')).toMatchObject({ score: 1 })
    expect(withFormat({ type: 'json_object' }, 'Yes.')).toMatchObject({ score: 0 })
    expect(withSchema('{"a": 1}', { $ref: 'https://a.example/b' })).toMatchObject({
      score: 1,
      reasoning: expect.stringContaining('cannot be used: it refers to another document'),
    })
  })

  test('a trace that requested no JSON is not evaluated', () => {
    expect(withFormat(undefined, '{"a": 1}').status).toBe('not_applicable')
    expect(withFormat({ type: 'text' }, '{"a": 1}').status).toBe('not_applicable')
  })
})

test('a missing answer scores 0 if JSON was requested', () => {
  expect(withSchema('')).toMatchObject({ score: 0 })
})
