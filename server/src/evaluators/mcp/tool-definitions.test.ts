import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { toolDefinitions } from './tool-definitions.ts'

const good = {
  name: 'find_order',
  description: 'Finds an order by its number.',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'string', description: 'The number of the order.' } },
    required: ['number'],
  },
}
const evaluate = (...tools: unknown[]) =>
  toolDefinitions.evaluate(
    sampleView([{ kind: 'agent' }, { kind: 'mcp', name: 'tools/list', output: { tools } }]),
    { siblings: [] },
  )
const schema = (inputSchema: unknown) => ({ ...good, inputSchema })

test('a well defined tool scores 1', () => {
  expect(evaluate(good)).toMatchObject({ score: 1, issues: [] })
})

describe('a fault lowers the score:', () => {
  test.each([
    ['has an illegal name', { ...good, name: 'find order!' }],
    ['has a description of fewer than 20 characters', { ...good, description: 'Finds.' }],
    ['has no valid JSON Schema', schema({ ...good.inputSchema, type: 'objekt' })],
    ['does not describe "a"', schema({ type: 'object', properties: { a: { type: 'string' } } })],
    ['requires "b", which it does not define', schema({ ...good.inputSchema, required: ['b'] })],
    ['is an action without annotations', { ...good, name: 'delete_order' }],
  ])('%s', (issue, tool) => {
    const verdict = evaluate(tool)
    expect(verdict).toMatchObject({ evidence: [{ spanId: 's1', quote: 'tools/list' }] })
    expect(verdict.status === 'scored' && verdict.score).toBeLessThan(1)
    expect(verdict.reasoning).toContain(issue)
  })
})

test('tools of one list with the same name or description are faults of each', () => {
  expect(evaluate(good, { ...good, name: 'get_order' })).toMatchObject({
    issues: [
      '"find_order" has the description of another tool.',
      '"get_order" has the description of another tool.',
    ],
  })
  expect(evaluate(good, { ...good, description: 'Finds an order by its date.' })).toMatchObject({
    issues: ['"find_order" is defined twice in one list.'],
  })
})

test('an action with annotations, and a tool whose schema no one recorded, have no fault', () => {
  expect(
    evaluate({ ...good, name: 'delete_order', annotations: { destructiveHint: true } }),
  ).toMatchObject({ score: 1 })
  const { inputSchema: _, ...unrecorded } = good
  expect(evaluate(unrecorded)).toMatchObject({ score: 1 })
})

test('a schema that is nested very deep is a fault, not a defect', () => {
  let nested: unknown = { type: 'string' }
  for (let depth = 0; depth < 3000; depth += 1) nested = { not: nested }
  expect(evaluate(schema({ ...good.inputSchema, not: nested })).status).toBe('scored')
})

test('a trace without definitions is not evaluated', () => {
  expect(evaluate().status).toBe('not_applicable')
})
