import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anySpans, plain } from './counted-span.samples.ts'
import { compareIds } from './id-order.ts'
import type { JsonText } from './json-text.ts'
import type { TraceLabels } from './span.ts'
import { type CountedSpan, totalsOf } from './trace-totals.ts'

const span = (spanId: string, parentSpanId: string | null, rest: Partial<CountedSpan> = {}) => ({
  ...plain,
  spanId,
  parentSpanId,
  ...rest,
})

const used = (tokensIn: number, tokensOut: number, costUsd: number | null = null) => ({
  tokensIn,
  tokensOut,
  costUsd,
})

const noLabels: TraceLabels = {
  rootName: null,
  environment: null,
  mode: 'live',
  tags: [],
  sessionId: null,
  userId: null,
}

describe('tokens and dollars are counted once', () => {
  test.each([
    [
      'a parent repeating the sum of its children',
      [
        span('agent', null, used(30, 3, 0.3)),
        span('a', 'agent', used(10, 1, 0.1)),
        span('b', 'agent', used(20, 2, 0.2)),
      ],
      [30, 3, 0.3],
    ],
    [
      'three nested levels with the same usage',
      [
        span('agent', null, used(10, 1, 0.1)),
        span('step', 'agent', used(10, 1, 0.1)),
        span('call', 'step', used(10, 1, 0.1)),
      ],
      [10, 1, 0.1],
    ],
    [
      'levels between that carry none',
      [
        span('agent', null, used(10, 1, 0.1)),
        span('step', 'agent'),
        span('call', 'step', used(10, 1, 0.1)),
      ],
      [10, 1, 0.1],
    ],
    [
      'an llm span inside an llm span',
      [
        span('framework', null, { kind: 'llm', ...used(10, 1) }),
        span('client', 'framework', { kind: 'llm', ...used(10, 1) }),
      ],
      [10, 1, null],
    ],
    [
      'an agent alone that carries usage',
      [span('agent', null, used(10, 1, 0.1)), span('tool', 'agent', { kind: 'tool' })],
      [10, 1, 0.1],
    ],
    [
      'one branch with inner usage, another without',
      [
        span('root', null),
        span('local', 'root', used(10, 1)),
        span('call', 'local', used(10, 1)),
        span('remote', 'root', used(5, 5)),
      ],
      [15, 6, null],
    ],
    [
      'a child that reports zero for not known',
      [span('agent', null, used(10, 1, 0.1)), span('call', 'agent', used(0, 0, 0))],
      [10, 1, 0.1],
    ],
    [
      'an agent that knows the price of calls that only counted tokens',
      [span('agent', null, used(10, 1, 0.25)), span('call', 'agent', used(10, 1))],
      [10, 1, 0.25],
    ],
    ['a circle', [span('a', 'b', used(10, 1)), span('b', 'a', used(20, 2))], [20, 2, null]],
  ] as const)('%s', (_situation, spans, [tokensIn, tokensOut, costUsd]) => {
    expect(totalsOf(spans, null)).toMatchObject({ tokensIn, tokensOut, costUsd })
  })

  test('no known cost is null, a known cost of nothing is 0', () => {
    expect(totalsOf([span('a', null, used(1, 1))], null).costUsd).toBeNull()
    expect(totalsOf([span('a', null), span('b', 'a', used(1, 1, 0))], null).costUsd).toBe(0)
  })

  test('costs add up as decimals do', () => {
    const spans = [span('a', null, used(0, 0, 0.1)), span('b', null, used(0, 0, 0.2))]
    expect(totalsOf(spans, null).costUsd).toBe(0.3)
  })

  test('sums beyond what a number holds stay numbers', () => {
    const most = used(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE)
    expect(totalsOf([span('a', null, most), span('b', null, most)], null)).toMatchObject({
      tokensIn: Number.MAX_SAFE_INTEGER,
      tokensOut: Number.MAX_SAFE_INTEGER,
      costUsd: Number.MAX_VALUE,
    })
  })
})

describe('calls of a model', () => {
  const called = (kind: string, parentSpanId: string | null, spanId: string) =>
    span(spanId, parentSpanId, { kind })
  test.each([
    ['one', [called('llm', null, 'a')], 1],
    [
      'a framework’s span around the client’s',
      [called('llm', null, 'a'), called('llm', 'a', 'b')],
      1,
    ],
    [
      'three that tell one call',
      [called('llm', null, 'a'), called('llm', 'a', 'b'), called('llm', 'b', 'c')],
      1,
    ],
    [
      'one that was tried again',
      [called('llm', null, 'a'), called('llm', 'a', 'b'), called('llm', 'a', 'c')],
      2,
    ],
    [
      'a call that a tool of another call makes',
      [called('llm', null, 'a'), called('tool', 'a', 't'), called('llm', 't', 'b')],
      2,
    ],
    ['one beside another', [called('llm', null, 'a'), called('llm', null, 'b')], 2],
  ] as const)('%s', (_situation, spans, llmCallCount) => {
    expect(totalsOf(spans, null).llmCallCount).toBe(llmCallCount)
  })
})

describe('tool calls', () => {
  const call = (kind: string, name: string, parent: string | null, id = `${kind} ${name}`) =>
    span(id, parent, { kind, name })
  test.each([
    ['tools', [call('tool', 'search', null), call('tool', 'search', null, 'again')], 2],
    [
      'an MCP call in the tool of the same name',
      [call('tool', 'search', null), call('mcp', 'search', 'tool search')],
      1,
    ],
    [
      'an MCP call some levels below that tool, named as OpenTelemetry names it',
      [
        call('tool', 'execute_tool search', null, 'tool'),
        call('chain', 'session', 'tool', 'chain'),
        call('mcp', 'tools/call search', 'chain'),
      ],
      1,
    ],
    [
      'an MCP call in the tool of another name',
      [call('tool', 'plan', null), call('mcp', 'search', 'tool plan')],
      2,
    ],
    ['an MCP call alone', [call('mcp', 'search', null)], 1],
    [
      'an MCP call as its client and as its server tell it',
      [
        call('mcp', 'MCP send tools/call search', null, 'client'),
        call('mcp', 'tools/call search', 'client', 'server'),
      ],
      1,
    ],
    [
      'an MCP call that another one makes',
      [
        call('mcp', 'tools/call plan', null, 'outer'),
        call('mcp', 'tools/call search', 'outer', 'inner'),
      ],
      2,
    ],
    [
      'MCP traffic that calls no tool',
      [
        call('mcp', 'initialize', null),
        call('mcp', 'tools/list', null),
        call('mcp', 'resources/read file://x', null),
        call('mcp', 'server/discover', null),
        call('mcp', 'MCP send tools/list', null),
        call('mcp', 'notifications/initialized.mcp', null),
      ],
      0,
    ],
    ['a function called', [call('agent', 'run', null), call('function', 'f', 'agent run')], 1],
    [
      'a function that calls',
      [
        call('agent', 'run', null),
        call('function', 'f', 'agent run'),
        call('llm', 'chat', 'function f'),
      ],
      0,
    ],
    ['a function at the root', [call('function', 'main', null)], 0],
    ['a function whose parent never came', [call('function', 'f', 'lost')], 0],
  ])('%s', (_situation, spans, toolCallCount) => {
    expect(totalsOf(spans, null).toolCallCount).toBe(toolCallCount)
  })
})

describe('what a trace is called and where it belongs', () => {
  test('tags are those of the labels, else of the span nearest to the root that has any', () => {
    const spans = [
      span('root', null, { startedAt: 5n }),
      span('step', 'root', { tags: '["a","b"]' as JsonText }),
      span('call', 'step', { startedAt: 1n, tags: '["seq:1"]' as JsonText }),
    ]
    expect(totalsOf(spans, null).tags).toEqual(['a', 'b'])
    expect(totalsOf(spans, noLabels).tags).toEqual(['a', 'b'])
    expect(totalsOf(spans, { ...noLabels, tags: ['own'] }).tags).toEqual(['own'])
    expect(totalsOf([span('root', null)], null).tags).toEqual([])
  })

  test('labels win, and a label left out falls back to the spans', () => {
    const spans = [
      span('a', null, { name: 'run', environment: 'prod', sessionId: 's', userId: 'u' }),
    ]
    const labels: TraceLabels = {
      ...noLabels,
      mode: 'simulation',
      rootName: 'Checkout',
      environment: 'test',
      tags: ['x'],
    }
    expect(totalsOf(spans, labels)).toMatchObject({
      rootName: 'Checkout',
      mode: 'simulation',
      environment: 'test',
      tags: ['x'],
      sessionId: 's',
      userId: 'u',
    })
    expect(totalsOf(spans, noLabels)).toMatchObject({ rootName: 'run', environment: 'prod' })
    expect(totalsOf(spans, null)).toMatchObject({ rootName: 'run', mode: 'live', tags: [] })
  })

  test('the root is the earliest span without a stored parent, be its parent none or lost', () => {
    const spans = [
      span('late', null, { name: 'late', startedAt: 30n }),
      span('orphan', 'lost', { name: 'orphan', startedAt: 20n }),
      span('child', 'late', { name: 'child', startedAt: 10n }),
    ]
    expect(totalsOf(spans, null).rootName).toBe('orphan')
  })

  test('a circle names the trace only where there is no root', () => {
    const circle = [
      span('b', 'c', { name: 'b', startedAt: 1n }),
      span('c', 'b', { name: 'c', startedAt: 2n }),
    ]
    expect(totalsOf(circle, null).rootName).toBe('b')
    expect(
      totalsOf([...circle, span('r', null, { name: 'r', startedAt: 3n })], null).rootName,
    ).toBe('r')
  })

  test('the span nearest to the root speaks for the trace, not the earliest one', () => {
    const spans = [
      span('root', null, { startedAt: 5n }),
      span('deep', 'child', { startedAt: 1n, sessionId: 'deep', service: 'deep' }),
      span('child', 'root', { startedAt: 9n, sessionId: 'child' }),
      span('second', 'root', { startedAt: 9n, spanId: 'second', sessionId: 'second' }),
    ]
    expect(totalsOf(spans, null)).toMatchObject({ sessionId: 'child', service: 'deep' })
  })

  test('one span over OTLP makes it a trace of OTLP, one span in error a trace in error', () => {
    const spans = [span('a', null), span('b', 'a', { source: 'otlp', status: 'ERROR' })]
    expect(totalsOf(spans, null)).toMatchObject({ source: 'otlp', status: 'ERROR', errorCount: 1 })
    expect(totalsOf([span('a', null)], null)).toMatchObject({ source: 'json', status: 'OK' })
  })
})

test('spans that start together are told apart by the bytes of their ids', () => {
  expect(['\u{1F600}', '\uFB01', 'é', 'b', 'ab', 'a'].sort(compareIds)).toEqual([
    'a',
    'ab',
    'b',
    'é',
    '\uFB01',
    '\u{1F600}',
  ])
  const spans = [
    span('\u{1F600}', null, { name: 'later' }),
    span('\uFB01', null, { name: 'first' }),
  ]
  expect(totalsOf(spans, null).rootName).toBe('first')
})

test('any order of the spans gives the same trace', () => {
  fc.assert(
    fc.property(
      anySpans.chain((spans) =>
        fc.tuple(
          fc.constant(spans),
          fc.shuffledSubarray(spans, { minLength: spans.length, maxLength: spans.length }),
        ),
      ),
      ([spans, shuffled]) => {
        expect(totalsOf(shuffled, null)).toEqual(totalsOf(spans, null))
      },
    ),
  )
})

test('every number of a trace is a finite one', () => {
  fc.assert(
    fc.property(anySpans, (spans) => {
      const { durationMs, tokensIn, tokensOut, costUsd } = totalsOf(spans, null)
      for (const amount of [durationMs, tokensIn, tokensOut, costUsd ?? 0]) {
        expect(amount).toSatisfy(Number.isFinite)
        expect(amount).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test('without circles, exactly the spans that carry tokens and have none below that do are counted', () => {
  const forward = anySpans.map((spans) =>
    spans.map((each) =>
      each.parentSpanId !== null && each.parentSpanId >= each.spanId
        ? { ...each, parentSpanId: null }
        : each,
    ),
  )
  fc.assert(
    fc.property(forward, (spans) => {
      const carriers = spans.filter((each) => (each.tokensIn ?? 0) + (each.tokensOut ?? 0) > 0)
      const isAbove = (above: CountedSpan, below: CountedSpan): boolean => {
        const parent = spans.find(({ spanId }) => spanId === below.parentSpanId)
        return parent !== undefined && (parent === above || isAbove(above, parent))
      }
      const counted = carriers.filter((each) => !carriers.some((other) => isAbove(each, other)))
      const expected = counted.reduce((sum, { tokensIn }) => sum + (tokensIn ?? 0), 0)
      expect(totalsOf(spans, null).tokensIn).toBe(expected)
    }),
  )
})

test.each([
  ['a chain', (i: number) => (i === 0 ? null : String(i - 1))],
  ['one circle', (i: number) => String((i + 1) % 100_000)],
  ['one parent', (i: number) => (i === 0 ? null : '0')],
])('100,000 spans as %s are all counted', (_shape, parentOf) => {
  const spans = Array.from({ length: 100_000 }, (_, i) => span(String(i), parentOf(i)))
  expect(totalsOf(spans, null).spanCount).toBe(100_000)
})
