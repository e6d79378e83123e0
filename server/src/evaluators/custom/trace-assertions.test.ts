import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { traceAssertions } from './trace-assertions.ts'

const evaluate = (assert: unknown) =>
  traceAssertions.evaluate(
    sampleView(
      [
        {
          kind: 'agent',
          input: { messages: [{ role: 'user', content: 'Where is order 7?' }] },
          output: { text: 'Order 7 is in Oslo.' },
          attributes: { 'eval.assert': assert },
        },
        {
          kind: 'tool',
          name: 'find',
          input: { order: 7, tags: ['a', 'b'] },
          output: '{"city": "Oslo", "days": 3}',
          attributes: { 'http.route': '/orders' },
        },
        { kind: 'tool', name: 'track', input: { order: 8 }, status: 'ERROR' },
      ],
      { tags: ['prod'], tokens_in: 120, cost_usd: 0.02 },
    ),
    { siblings: [] },
  )
const scoreOf = (assertion: unknown) => {
  const verdict = evaluate([assertion])
  return verdict.status === 'scored' ? verdict.score : verdict.status
}

describe('an assertion passes', () => {
  test.each([
    { path: 'output', op: 'equals', value: 'Order 7 is in Oslo.' },
    { path: 'output', op: 'contains', value: 'Oslo' },
    { path: 'output', op: 'any', value: ['Rome', 'Oslo'] },
    { path: 'output', op: 'all', value: ['Order', 'Oslo'] },
    { path: 'output', op: 'regex', value: '(?i)order \\d+ is in (oslo|rome)' },
    { path: 'tool_calls', op: 'max', value: 2 },
    { path: 'tool_calls[0].name', op: 'equals', value: 'find' },
    { path: 'tool_calls.0.input.order', op: 'equals', value: 7 },
    { path: 'tool_calls[-1].name', op: 'equals', value: 'track' },
    { path: 'tool_calls[*].name', op: 'equals', value: 'track' },
    { path: 'tool_calls[0].output.city', op: 'equals', value: 'Oslo' },
    { path: 'tool_calls[0].input.tags', op: 'contains', value: 'b' },
    { path: 'tool_calls[0].input', op: 'equals', value: { tags: ['a', 'b'], order: 7 } },
    { path: 'tool_calls[*].input.order', op: 'type', value: 'integer' },
    { path: 'tool_calls[*].input.order', op: 'min', value: 7 },
    { path: 'spans[*].attributes["http.route"]', op: 'equals', value: '/orders' },
    { path: 'tool_calls.*.name', op: 'equals', value: 'track' },
    { path: 'messages[0].role', op: 'equals', value: 'user' },
    { path: 'errors[*].name', op: 'equals', value: 'track' },
    { path: 'tags', op: 'contains', value: 'prod' },
    { path: 'cost_usd', op: 'max', value: 0.05 },
    { path: 'tokens_in', op: 'min', value: 100 },
    { op: 'count', value: { kind: 'tool', equals: 2 } },
    { op: 'count', value: { name: 'find', min: 1, max: 1 } },
    { op: 'count', value: { attributes: { 'http.route': '/orders' }, min: 1 } },
    { op: 'count', value: { status: 'ERROR', name: 'find', equals: 0 } },
  ])('%j', (assertion) => {
    expect(scoreOf(assertion)).toBe(1)
  })
})

describe('an assertion fails', () => {
  test.each([
    [{ path: 'output', op: 'equals', value: 'Oslo' }, 'the value is "Order 7 is in Oslo."'],
    [{ path: 'output', op: 'all', value: ['Order', 'Rome'] }, 'the value is "Order 7 is in Oslo."'],
    [
      { path: 'tool_calls[*].name', op: 'equals', value: 'pay' },
      'none of 2 values passes; the first is "find"',
    ],
    [{ path: 'tool_calls[*].input.order', op: 'max', value: 7 }, 'the value is 8'],
    [{ path: 'output', op: 'min', value: 3 }, 'the value is "Order 7 is in Oslo."'],
    [{ path: 'system', op: 'contains', value: 'x' }, 'the trace has no such value'],
    [
      { path: 'tool_calls[0].input.valueOf', op: 'type', value: 'object' },
      'the trace has no such value',
    ],
    [{ op: 'count', value: { kind: 'tool', max: 1 } }, 'the trace has 2 such spans'],
  ])('%j: %s', (assertion, problem) => {
    const verdict = evaluate([assertion])
    expect(verdict).toMatchObject({ score: 0, issues: [expect.stringContaining(problem)] })
  })

  test('with a quote of the value', () => {
    expect(
      evaluate([{ path: 'tool_calls[0].output.city', op: 'equals', value: 'Rome' }]),
    ).toMatchObject({
      issues: [
        'Assertion 1 failed (tool_calls[0].output.city equals "Rome"): the value is "Oslo".',
      ],
      evidence: [{ spanId: 's1', quote: 'Oslo' }],
    })
  })
})

describe('an assertion is invalid', () => {
  test.each([
    ['output', 'it must be an object'],
    [{ path: 'output', op: 'like', value: 'x' }, '"like" is not an op. Use one of equals'],
    [{ path: 'output', value: 'x' }, '`op` must be a text'],
    [{ path: 'answer', op: 'equals', value: 'x' }, '`path` must begin with one of input'],
    [{ path: 'output[', op: 'equals', value: 'x' }, '`path` cannot be read from "["'],
    [{ op: 'equals', value: 'x' }, '`path` must be a text'],
    [{ path: 'output', op: 'equals' }, '`value` is missing'],
    [{ path: 'output', op: 'regex', value: '(?=a)' }, 'the regular expression cannot be used'],
    [{ path: 'output', op: 'any', value: 'x' }, '`value` of `any` must be a list'],
    [{ path: 'output', op: 'type', value: 'text' }, '`value` of `type` must be one of string'],
    [{ path: 'output', op: 'min', value: '3' }, 'must be a number'],
    [{ path: 'output', op: 'equals', value: 'x', weight: 0 }, '`weight` must be a number above 0'],
    [{ op: 'count', value: { kind: 'tool' } }, 'must have `equals`, `min` or `max`'],
    [{ op: 'count', value: { type: 'tool', max: 1 } }, 'the unknown member "type"'],
  ])('%j: %s', (assertion, reason) => {
    expect(evaluate([assertion])).toMatchObject({
      score: 0,
      issues: [expect.stringContaining(`Assertion 1 is invalid: `)],
      reasoning: expect.stringContaining(reason),
    })
  })
})

test('the score is the share of weight that passes', () => {
  const assertions = [
    { path: 'output', op: 'contains', value: 'Oslo', weight: 3 },
    { path: 'output', op: 'contains', value: 'Rome' },
  ]
  expect(evaluate(assertions)).toMatchObject({ score: 0.75 })
  expect(evaluate(JSON.stringify(assertions))).toMatchObject({ score: 0.75 })
})

test('a single assertion needs no list, and more than 100 do not pass', () => {
  const assertion = { path: 'output', op: 'contains', value: 'Oslo' }
  expect(evaluate(assertion)).toMatchObject({ score: 1 })
  const verdict = evaluate(Array(101).fill(assertion))
  expect(verdict).toMatchObject({
    issues: ['Only the first 100 of 101 assertions were checked.'],
  })
})

test('assertions that read too much do not pass, whatever they require', () => {
  const hard = { path: 'input', op: 'regex', value: '[a-z]{1,200}[0-9]' }
  const view = sampleView([
    {
      kind: 'agent',
      input: { messages: [{ role: 'user', content: 'ab '.repeat(40_000) }] },
      output: { text: 'Oslo' },
      attributes: {
        'eval.assert': [hard, hard, { path: 'output', op: 'equals', value: 'Oslo' }],
      },
    },
  ])
  const issues = Array(3).fill(expect.stringContaining('read too much of the trace'))
  expect(traceAssertions.evaluate(view, { siblings: [] })).toMatchObject({ score: 0, issues })
})

test('many assertions with count read the keys of a large value once', () => {
  const assertion = { op: 'count', value: { attributes: { large: { a: 2 } }, min: 1 } }
  let reads = 0
  const ownKeys = (target: object) => {
    reads += 1
    return Reflect.ownKeys(target)
  }
  const large = new Proxy({ a: 1, b: 1 }, { ownKeys })
  const readsOf = (count: number) => {
    reads = 0
    const asserts = Array.from({ length: count }, () => assertion)
    const view = sampleView([{ kind: 'agent', attributes: { large, 'eval.assert': asserts } }])
    expect(traceAssertions.evaluate(view, { siblings: [] })).toMatchObject({ score: 0 })
    return reads
  }
  expect(readsOf(100)).toBe(readsOf(1))
})

test.each([[undefined], [null], [[]]])(
  'a trace with the assertions %j is not evaluated',
  (assert) => {
    expect(evaluate(assert).status).toBe('not_applicable')
  },
)

test('any value can be an assertion', () => {
  const assertion = fc.record({
    path: fc.oneof(fc.string(), fc.constantFrom('output', 'spans[*]', 'tool_calls[*].input')),
    op: fc.constantFrom('equals', 'contains', 'any', 'all', 'regex', 'type', 'min', 'max', 'count'),
    value: fc.oneof(fc.string(), fc.jsonValue()),
    weight: fc.oneof(fc.constant(1), fc.jsonValue()),
  })
  fc.assert(
    fc.property(fc.array(fc.oneof(assertion, fc.jsonValue()), { minLength: 1 }), (assertions) => {
      const verdict = evaluate(assertions)
      expect(verdict.status).toBe('scored')
    }),
  )
})
