import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectedFiles, recordedTraces } from '../../../test/recorded.ts'
import { buildTraceView } from './build-trace-view.ts'
import { canonicalJson, leavesIn } from './canonical-json.ts'
import { type sampleSpans, sampleView } from './trace-view.samples.ts'

const call = (name: string, args: unknown, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})
const calling = (...calls: unknown[]) => ({
  messages: [{ role: 'assistant', content: null, tool_calls: calls }],
  finish_reason: 'tool_calls',
})
const user = { role: 'user', content: 'Where is order 7?' }
const system = { role: 'system', content: 'Be brief.' }

describe('the view of a trace sent as JSON', () => {
  const view = sampleView(
    [
      {
        kind: 'agent',
        input: { messages: [user], eval: { max_steps: 3 } },
        output: { text: 'In Oslo.' },
      },
      {
        kind: 'llm',
        input: {
          messages: [system, user],
          tools: [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }],
        },
        output: calling(call('find', { order: 7 }, 'c1'), call('lost', {}, 'c2')),
      },
      {
        kind: 'tool',
        name: 'find',
        input: { order: 7 },
        output: { city: 'Oslo' },
        attributes: { 'gen_ai.tool.call.id': 'c1' },
      },
      {
        kind: 'retriever',
        input: { query: 'orders' },
        output: { documents: [{ id: 'd1', content: 'Order 7' }] },
      },
      { kind: 'memory', input: { operation: 'write', key: 'city', value: 'Oslo' } },
      { kind: 'memory', input: { operation: 'read', key: 'city' }, output: { value: 'Oslo' } },
    ],
    { tags: ['eval:pair=x', 'eval:max_steps=9', 'other'] },
  )

  test('has the question, the answer and the system prompt with their spans', () => {
    expect([view.input, view.output, view.system]).toEqual([
      { spanId: 's0', text: 'Where is order 7?' },
      { spanId: 's0', text: 'In Oslo.' },
      { spanId: 's1', text: 'Be brief.' },
    ])
    expect(view.modelCalls.map(({ finishReasons }) => finishReasons)).toEqual([['tool_calls']])
  })

  test('has each tool call once, with the one that never ran', () => {
    const calls = view.toolCalls.map(({ name, input, output, hasOwnSpan }) => [
      name,
      input,
      output,
      hasOwnSpan,
    ])
    expect(calls).toEqual([
      ['lost', {}, undefined, false],
      ['find', { order: 7 }, { city: 'Oslo' }, true],
    ])
    expect(view.toolDefinitions).toMatchObject([{ name: 'find', parameters: { type: 'object' } }])
  })

  test('has retrieved items, memory and expectations', () => {
    expect(view.retrievals[0]?.items).toEqual([
      { spanId: 's3', id: 'd1', text: 'Order 7', rank: 1 },
    ])
    expect(
      view.memoryOperations.map(({ operation, key, value }) => [operation, key, value]),
    ).toEqual([
      ['write', 'city', 'Oslo'],
      ['read', 'city', 'Oslo'],
    ])
    expect([...view.expectations]).toEqual([
      ['pair', 'x'],
      ['max_steps', 3],
    ])
  })
})

test('a call over MCP within the tool span of the same name is one call', () => {
  const view = sampleView([
    { kind: 'tool', name: 'find', input: { a: 1 }, output: { b: 2 } },
    {
      kind: 'mcp',
      name: 'tools/call find',
      input: { a: 1 },
      output: { content: [], isError: true },
    },
  ])
  expect(view.toolCalls).toHaveLength(1)
})

test('an error result of a tool is an error of the trace', () => {
  const view = sampleView([
    { kind: 'agent' },
    {
      kind: 'mcp',
      name: 'tools/call find',
      output: { isError: true, content: [{ type: 'text', text: 'no such order' }] },
    },
    { kind: 'tool', name: 'pay', status: 'ERROR', status_message: 'declined' },
  ])
  expect(view.errors.map(({ span, message }) => [span.spanId, message])).toEqual([
    ['s1', 'no such order'],
    ['s2', 'declined'],
  ])
})

describe('in the recording of', () => {
  // The answer of these is in log entries without messages.
  const withoutAnswer = new Set(['logfire-4-anthropic'])

  test.each(expectedFiles())(
    '%s, the last answer and the arguments of the tool are found',
    (name) => {
      const traces = recordedTraces(name)
      const isIn = (text: string) =>
        JSON.stringify(
          [...traces.values()]
            .flat()
            .filter(({ kind }) => kind === 'llm')
            .map(({ output }) => output),
        ).includes(text)
      const views = [...traces].map(([id, spans]) => viewOf(id, spans))
      const answer = 'It is 14 degrees and raining in Paris.'
      if (isIn(answer) && !withoutAnswer.has(name)) {
        expect(views.map(({ output }) => output?.text ?? '').join('\n')).toContain(answer)
      }
      const calls = views.flatMap(({ toolCalls }) =>
        toolCalls.filter((one) => one.name === 'get_weather'),
      )
      for (const { input } of calls.filter(({ hasOwnSpan }) => !hasOwnSpan)) {
        expect(input).toMatchObject({ city: 'Paris' })
      }
      for (const view of views) {
        const ofName = view.toolCalls.filter((one) => one.name === 'get_weather')
        expect(ofName.length).toBeLessThanOrEqual(1)
      }
    },
  )
})

function viewOf(id: string, spans: Parameters<typeof buildTraceView>[1]) {
  const trace = { trace_id: id, status: 'OK' as const, tags: [], duration_ms: 1 }
  return buildTraceView({ ...trace, tokens_in: 0, tokens_out: 0, cost_usd: null }, spans)
}

test('any content of spans can be viewed', () => {
  const json = fc.jsonValue()
  const kind = fc.constantFrom('agent', 'llm', 'tool', 'mcp', 'retriever', 'memory', 'other')
  const sample = fc.record({ kind, input: json, output: json, attributes: json })
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 6 }), (samples) => {
      expect(() => sampleView(samples as Parameters<typeof sampleSpans>[0])).not.toThrow()
    }),
  )
})

test('leaves are found in order at any depth, up to the deepest that is read', () => {
  const value = { b: [1, { c: 'x' }, null, []], a: { d: true }, e: {} }
  expect([...leavesIn(value)]).toEqual([
    { path: 'b.0', value: 1 },
    { path: 'b.1.c', value: 'x' },
    { path: 'a.d', value: true },
  ])
  expect([...leavesIn('x'), ...leavesIn(null)]).toEqual([{ path: '', value: 'x' }])
  let deep: unknown = 'bottom'
  for (let n = 0; n < 100_000; n += 1) deep = [deep]
  expect([...leavesIn(deep)]).toEqual([])
})

test('the leaves of any value are those that its JSON has', () => {
  const countIn = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return value === null ? 0 : 1
    return Object.values(value).reduce<number>((sum, one) => sum + countIn(one), 0)
  }
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      expect([...leavesIn(value)]).toHaveLength(countIn(value))
    }),
  )
})

test('equal JSON values have equal canonical texts', () => {
  expect(canonicalJson({ b: 1, a: [{ d: 1, c: null }] })).toBe('{"a":[{"c":null,"d":1}],"b":1}')
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse())
      expect(canonicalJson(reversed)).toBe(canonicalJson(value))
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
