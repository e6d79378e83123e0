import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { protocolConformance } from './protocol-conformance.ts'

const text = (value: string) => ({ type: 'text', text: value })
const call = (output: unknown, more: object = {}) => ({
  ...{ kind: 'mcp', name: 'tools/call find' },
  attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'find' },
  output,
  ...more,
})
const outputSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}
const listed = {
  kind: 'mcp',
  name: 'tools/list',
  output: { tools: [{ name: 'find', outputSchema }] },
}
const evaluate = (...spans: Parameters<typeof sampleView>[0]) =>
  protocolConformance.evaluate(sampleView([{ kind: 'agent' }, ...spans]), { siblings: [] })

describe('a result conforms', () => {
  test.each([
    ['as text', { content: [text('Oslo')] }],
    ['without content', { content: [] }],
    ['as an image', { content: [{ type: 'image', data: 'aa', mimeType: 'image/png' }] }],
    ['as a link', { content: [{ type: 'resource_link', uri: 'a:b', name: 'b' }] }],
    ['as an error', { content: [text('Error: none')], isError: true }],
    ['in its JSON-RPC response', { jsonrpc: '2.0', id: 1, result: { content: [] } }],
    ['with an error of the server', { error: { code: -32_603, message: 'x' } }],
  ])('%s', (_name, output) => {
    expect(evaluate(call(output))).toMatchObject({ score: 1 })
  })

  test('with content that fits the schema', () => {
    const output = { content: [], structuredContent: { city: 'Oslo' } }
    expect(evaluate(listed, call(output))).toMatchObject({ score: 1 })
  })
})

test.each([
  [{ text: 'Oslo' }, 'find returned no list `content`.'],
  [
    { content: [{ type: 'html' }] },
    'find returned content of the form "html" that the protocol does not define.',
  ],
  [
    { content: [{ type: 'text' }] },
    'find returned content of the form "text" that the protocol does not define.',
  ],
  [
    { content: [], structuredContent: [] },
    'find returned a `structuredContent` that is no object.',
  ],
  [
    { content: [text('Error: no such city')] },
    'find reported an error as text, without `isError`.',
  ],
  [{ error: { code: -32_300, message: 'x' } }, 'find failed with the undefined error code -32300.'],
])('%j does not conform', (output, issue) => {
  expect(evaluate(call(output))).toMatchObject({ score: 0, issues: [issue] })
})

test('structured content is checked with the schema of the tool', () => {
  expect(evaluate(listed, call({ content: [] }))).toMatchObject({
    issues: ['find has an `outputSchema`, but returned no `structuredContent`.'],
  })
  expect(evaluate(listed, call({ content: [], structuredContent: { city: 7 } }))).toMatchObject({
    issues: [
      'find returned a `structuredContent` that does not fit its schema: "city" must be string (type).',
    ],
  })
})

test('invalid parameters are a mistake of the agent', () => {
  const verdict = evaluate(call({ error: { code: -32_602, message: 'x' } }), call({ content: [] }))
  expect(verdict).toMatchObject({ score: 1 })
  expect(verdict.reasoning).toContain('The agent sent invalid parameters (-32602) in 1 of 2 calls.')
})

test('a trace whose spans have no whole results is not evaluated', () => {
  expect(evaluate(call('Oslo')).status).toBe('not_applicable')
  expect(evaluate(listed).status).toBe('not_applicable')
})
