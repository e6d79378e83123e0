import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { toolsExist } from './tools-exist.ts'

const parameters = { type: 'object', properties: { order_id: { type: 'string' } } }
const find = { type: 'function', function: { name: 'find_order', parameters } }
const evaluate = (calls: readonly [string, unknown][], tools: unknown[], allowed?: unknown) =>
  toolsExist.evaluate(
    sampleView([
      { kind: 'agent', attributes: allowed === undefined ? {} : { 'eval.allowed_tools': allowed } },
      { kind: 'llm', input: { messages: [], tools } },
      ...calls.map(([name, input]) => ({ kind: 'tool', name, input })),
    ]),
    { siblings: [] },
  )

test('calls of defined tools with their parameters score 1', () => {
  expect(
    evaluate(
      [
        ['find_order', { order_id: '7' }],
        ['mcp__shop__find_order', {}],
        ['web_search', { query: 'x' }],
      ],
      [find],
    ),
  ).toMatchObject({ score: 1, issues: [] })
})

test('an invented tool is reported with the nearest one', () => {
  expect(
    evaluate(
      [
        ['find_orders', {}],
        ['find_order', {}],
      ],
      [find],
    ),
  ).toMatchObject({
    score: 0.5,
    issues: ['There is no tool "find_orders"; the nearest is "find_order".'],
    evidence: [{ spanId: 's2', quote: 'find_orders' }],
  })
})

test('an invented parameter is reported with the nearest one', () => {
  expect(evaluate([['find_order', { orderId: '7' }]], [find])).toMatchObject({
    score: 0,
    issues: ['"find_order" has no parameter "orderId"; the nearest is "order_id".'],
  })
})

test.each([{ additionalProperties: true }, { patternProperties: {} }, { properties: {} }])(
  'any argument fits an open schema: %o',
  (open) => {
    const tool = {
      type: 'function',
      function: { name: 'f', parameters: { ...parameters, ...open } },
    }
    expect(evaluate([['f', { other: 1 }]], [tool])).toMatchObject({ score: 1 })
  },
)

test('eval.allowed_tools decides which tools exist', () => {
  expect(
    evaluate(
      [
        ['find_order', {}],
        ['pay', {}],
      ],
      [find],
      ['pay'],
    ),
  ).toMatchObject({
    score: 0.5,
    issues: ['There is no tool "find_order"; the nearest is "pay".'],
  })
  expect(evaluate([['pay', {}]], [], 'pay, refund')).toMatchObject({ score: 1 })
})

test('a trace without calls or without definitions is not evaluated', () => {
  expect(evaluate([], [find]).status).toBe('not_applicable')
  expect(evaluate([['find_order', {}]], []).status).toBe('not_applicable')
})
