import { expect, test } from 'vitest'
import { sampleView } from '../domain/trace-view/trace-view.samples.ts'
import { deterministicEvaluators } from './catalogue.ts'

/*
 * Traces that a stranger made so that an evaluator takes long. Each would take minutes without its limit, and so exceed
 * the time of a test.
 */

type Samples = Parameters<typeof sampleView>[0]

const list = <One>(length: number, of: (index: number) => One): One[] =>
  Array.from({ length }, (_, index) => of(index))
const answering = (output: unknown, more: object = {}) => ({
  ...{ kind: 'agent', input: 'request', output },
  ...more,
})
const returning = (output: unknown) => ({ kind: 'tool', name: 'find', input: {}, output })
const calling = (tools: readonly object[]) => ({
  kind: 'llm',
  input: { tools, messages: [{ role: 'user', content: 'request' }] },
  output: 'answer',
})

const hostile: readonly (readonly [string, string, Samples])[] = [
  ['quality.not-truncated', 'lines', [{ kind: 'llm', output: `a${'\n'.repeat(99_000)}b` }]],
  [
    'agent.argument-provenance',
    'zeros within numbers',
    [
      answering('answer', { input: list(20, (n) => `${n}.${'0'.repeat(99_000)}1`).join(' ') }),
      { kind: 'tool', name: 'find', input: { query: 'hello world' } },
      { kind: 'tool', name: 'find', input: { query: 'bye' }, output: `1.${'0'.repeat(99_000)}1` },
      { kind: 'tool', name: 'find', input: { query: 'later' } },
    ],
  ],
  [
    'faithfulness.quotes-exact',
    'parts of quotations, each at the end of the sources',
    [
      answering(list(40, () => `"one two three ${'zq…'.repeat(300)}"`).join('\n')),
      returning([...list(38, (n) => 'z'.repeat(99_000) + n), 'one two three zq']),
    ],
  ],
  [
    'faithfulness.quotes-exact',
    'long words between those of a quotation',
    [
      answering(list(40, (n) => `"${'ab '.repeat(600)}${n}"`).join('\n')),
      returning(list(40, (n) => `ab ${'q'.repeat(90_000)}${n}`)),
    ],
  ],
  [
    'faithfulness.citations-valid',
    'items of one name',
    [
      answering(list(200, () => `${'bcd '.repeat(110)}[d].`).join('\n')),
      { kind: 'retriever', output: list(2000, (n) => ({ id: 'd', text: `nothing${n}` })) },
    ],
  ],
  [
    'bias.identity-attack-terms',
    'a long request',
    [answering('women are rats. '.repeat(6000), { input: 'w'.repeat(20_000_000) })],
  ],
  [
    'hallucination.tools-exist',
    'invented tools',
    [
      calling(list(5000, (n) => ({ name: 'abcdefghij'.repeat(10) + n }))),
      ...list(5000, (n) => ({ kind: 'tool', name: 'zyxwvu'.repeat(20) + n, input: {} })),
    ],
  ],
  [
    'safety.injection-signals',
    'signals in a long result',
    [returning(list(60_000, (n) => `[INST]${n}`))],
  ],
  [
    'safety.injection-not-obeyed',
    'marks at the end of a long word',
    [returning(list(20, (n) => `${'.a'.repeat(10)}${'.'.repeat(95_000)}a${n}`))],
  ],
  [
    'privacy.pii-in-output',
    'values that the user wrote',
    [
      {
        kind: 'llm',
        input: { messages: list(39, (n) => ({ role: 'user', content: 'x'.repeat(99_000) + n })) },
        output: list(8000, (n) => `x${n}@b${n}.com`).join(' '),
      },
    ],
  ],
  [
    'memory.fresh-reads',
    'reads of a long value',
    [
      { kind: 'memory', name: 'write', input: { key: 'k', value: list(200_000, (n) => n) } },
      ...list(2000, () => ({ kind: 'memory', name: 'read', input: { key: 'k' }, output: 'x' })),
    ],
  ],
  [
    'quality.reference-match',
    'large objects in lists',
    [
      answering(
        JSON.stringify(
          list(50, (item) => Object.fromEntries(list(20_000, (n) => [`k${n}_${item}`, 1]))),
        ),
        { attributes: { 'eval.expected_output': list(50, () => ({ a: 1 })) } },
      ),
    ],
  ],
  [
    'mcp.approval-before-effects',
    'calls of a large span',
    [
      {
        kind: 'llm',
        input: JSON.stringify({ messages: list(900_000, (n) => `text ${n}`) }),
        output: {
          messages: [
            {
              role: 'assistant',
              tool_calls: list(2000, (n) => ({
                id: `c${n}`,
                function: { name: 'delete_file', arguments: `{"path":"/tmp/${n}"}` },
              })),
            },
          ],
        },
      },
    ],
  ],
  [
    'mcp.protocol-conformance',
    'results of a tool with a long schema',
    [
      {
        kind: 'mcp',
        name: 'tools/list',
        output: { tools: [{ name: 'f', outputSchema: { enum: list(200_000, (n) => n) } }] },
      },
      ...list(5000, () => ({
        ...{ kind: 'mcp', name: 'tools/call f', attributes: { 'gen_ai.tool.name': 'f' } },
        output: { content: [], structuredContent: {} },
      })),
    ],
  ],
  ...[
    ['lengths of a long text', 'é'.repeat(20_000_000), { maxLength: 1 }] as const,
    ['equal items', [list(400_000, (n) => n)], { uniqueItems: true, items: {} }] as const,
    [
      'members of a large object',
      Object.fromEntries(list(200_000, (n) => [`k${n}`, 1])),
      { maxProperties: 1 },
    ] as const,
  ].map(([what, value, schema]) => {
    const attributes = { 'eval.schema': { allOf: list(900, () => schema) } }
    const samples = [answering(JSON.stringify(value), { attributes })]
    return ['quality.structured-output', what, samples] as const
  }),
  ...[
    [100, { path: 'spans[1].input', op: 'contains', value: list(20_000, (n) => n) }] as const,
    [100, { path: 'spans[1].input[*]', op: 'any', value: list(100_000, () => 'k') }] as const,
    [100, { path: 'spans[1].input[*]', op: 'min', value: 0 }] as const,
    [
      20,
      {
        op: 'count',
        value: { min: 1, attributes: Object.fromEntries(list(100_000, (n) => [`k${n}`, 1])) },
      },
    ] as const,
  ].map(([count, assertion]) => {
    const attributes = { 'eval.assert': list(count, () => assertion) }
    const others = list(2000, () => ({ kind: 'other' }))
    const samples = [
      answering('answer', { attributes }),
      { kind: 'other', input: list(1_000_000, () => 1) },
    ]
    return ['custom.trace-assertions', assertion.op, [...samples, ...others]] as const
  }),
]

test.each(hostile)('%s reads a limited amount of %s', (key, _what, samples) => {
  const evaluator = deterministicEvaluators.find((one) => one.key === key)
  const verdict = evaluator?.evaluate(sampleView(samples), { siblings: [] })
  expect(verdict?.reasoning).toMatch(/\S/)
})

test('results are short, whatever the length of the names in a trace', () => {
  const name = (n: number) => `delete_${'x'.repeat(100_000)}${n}`
  const view = sampleView([
    { ...calling([{ name: 'f' }]), attributes: { 'eval.expected_tools': ['g'] } },
    ...list(25, (n) => ({
      ...{ kind: 'tool', input: {}, output: { isError: true, content: name(n) } },
      attributes: { 'gen_ai.tool.name': name(n) },
    })),
  ])
  for (const evaluator of deterministicEvaluators) {
    const verdict = evaluator.evaluate(view, { siblings: [] })
    expect([evaluator.key, JSON.stringify(verdict).length < 100_000]).toEqual([evaluator.key, true])
  }
})
