import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anySpans, plain } from './counted-span.samples.ts'
import { compareIds } from './id-order.ts'
import type { JsonText } from './json-text.ts'
import type { TraceLabels } from './span.ts'
import { type CountedSpan, computeTotals } from './trace-totals.ts'

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

describe('T1: tokens and cost are counted once', () => {
  test.each([
    [
      'a parent that repeats the sum of its children',
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
      'levels without usage in between',
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
      'an agent with usage and no children',
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
      'a child that reports zero for unknown',
      [span('agent', null, used(10, 1, 0.1)), span('call', 'agent', used(0, 0, 0))],
      [10, 1, 0.1],
    ],
    [
      'an agent with the cost of calls that report only tokens',
      [span('agent', null, used(10, 1, 0.25)), span('call', 'agent', used(10, 1))],
      [10, 1, 0.25],
    ],
    ['a cycle', [span('a', 'b', used(10, 1)), span('b', 'a', used(20, 2))], [20, 2, null]],
  ] as const)('%s', (_situation, spans, [tokensIn, tokensOut, costUsd]) => {
    expect(computeTotals(spans, null)).toMatchObject({ tokensIn, tokensOut, costUsd })
  })

  test('an unknown cost is null, a known cost of nothing is 0', () => {
    expect(computeTotals([span('a', null, used(1, 1))], null).costUsd).toBeNull()
    expect(computeTotals([span('a', null), span('b', 'a', used(1, 1, 0))], null).costUsd).toBe(0)
  })

  test('model calls without a known cost are counted once, at the innermost span with tokens', () => {
    const call = (id: string, more: object) => span(id, 'agent', { model: 'acme-7b', ...more })
    const spans = [
      span('agent', null, { model: 'acme-7b', ...used(30, 3) }),
      call('priced', used(10, 1, 0.1)),
      call('unpriced', used(10, 1)),
      call('failed', {}),
      call('nameless', { model: '', ...used(10, 1) }),
    ]
    expect(computeTotals(spans, null)).toMatchObject({ modelCallCount: 2, unpricedCallCount: 1 })
  })

  test('costs add up like decimals', () => {
    const spans = [span('a', null, used(0, 0, 0.1)), span('b', null, used(0, 0, 0.2))]
    expect(computeTotals(spans, null).costUsd).toBe(0.3)
  })

  test('sums beyond the range of a number stay finite', () => {
    const most = used(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE)
    expect(computeTotals([span('a', null, most), span('b', null, most)], null)).toMatchObject({
      tokensIn: Number.MAX_SAFE_INTEGER,
      tokensOut: Number.MAX_SAFE_INTEGER,
      costUsd: Number.MAX_VALUE,
    })
  })
})

describe('model calls', () => {
  const called = (kind: string, parentSpanId: string | null, spanId: string) =>
    span(spanId, parentSpanId, { kind })
  test.each([
    ['one', [called('llm', null, 'a')], 1],
    [
      'a framework span around the client span',
      [called('llm', null, 'a'), called('llm', 'a', 'b')],
      1,
    ],
    [
      'three spans of one call',
      [called('llm', null, 'a'), called('llm', 'a', 'b'), called('llm', 'b', 'c')],
      1,
    ],
    ['a retry', [called('llm', null, 'a'), called('llm', 'a', 'b'), called('llm', 'a', 'c')], 2],
    [
      'a call made by a tool of another call',
      [called('llm', null, 'a'), called('tool', 'a', 't'), called('llm', 't', 'b')],
      2,
    ],
    ['two siblings', [called('llm', null, 'a'), called('llm', null, 'b')], 2],
  ] as const)('%s', (_situation, spans, llmCallCount) => {
    expect(computeTotals(spans, null).llmCallCount).toBe(llmCallCount)
  })
})

describe('tool calls', () => {
  const call = (kind: string, name: string, parent: string | null, id = `${kind} ${name}`) =>
    span(id, parent, { kind, name })
  test.each([
    ['tools', [call('tool', 'search', null), call('tool', 'search', null, 'again')], 2],
    [
      'a tool in the tool of the same name of another instrumentation',
      [
        call('tool', 'weather.search', null, 'outer'),
        call('tool', 'execute_tool search', 'outer', 'inner'),
      ],
      1,
    ],
    [
      'a tool that calls itself',
      [call('tool', 'search', null), call('tool', 'search', 'tool search', 'again')],
      2,
    ],
    [
      'a tool in the tool of another name',
      [call('tool', 'research', null), call('tool', 'execute_tool search', 'tool research')],
      2,
    ],
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
      'client and server span of an MCP call',
      [
        call('mcp', 'MCP send tools/call search', null, 'client'),
        call('mcp', 'tools/call search', 'client', 'server'),
      ],
      1,
    ],
    [
      'an MCP call made by another one',
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
      'a function with children',
      [
        call('agent', 'run', null),
        call('function', 'f', 'agent run'),
        call('llm', 'chat', 'function f'),
      ],
      0,
    ],
    ['a function at the root', [call('function', 'main', null)], 0],
    ['a function whose parent never arrived', [call('function', 'f', 'lost')], 0],
  ])('%s', (_situation, spans, toolCallCount) => {
    expect(computeTotals(spans, null).toolCallCount).toBe(toolCallCount)
  })
})

describe('the name and attributes of a trace', () => {
  test('tags come from the labels, otherwise from the span nearest to the root that has any', () => {
    const spans = [
      span('root', null, { startedAt: 5n }),
      span('step', 'root', { tags: '["a","b"]' as JsonText }),
      span('call', 'step', { startedAt: 1n, tags: '["seq:1"]' as JsonText }),
    ]
    expect(computeTotals(spans, null).tags).toEqual(['a', 'b'])
    expect(computeTotals(spans, noLabels).tags).toEqual(['a', 'b'])
    expect(computeTotals(spans, { ...noLabels, tags: ['own'] }).tags).toEqual(['own'])
    expect(computeTotals([span('root', null)], null).tags).toEqual([])
  })

  test('labels win, and a missing label falls back to the spans', () => {
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
    expect(computeTotals(spans, labels)).toMatchObject({
      rootName: 'Checkout',
      mode: 'simulation',
      environment: 'test',
      tags: ['x'],
      sessionId: 's',
      userId: 'u',
    })
    expect(computeTotals(spans, noLabels)).toMatchObject({ rootName: 'run', environment: 'prod' })
    expect(computeTotals(spans, null)).toMatchObject({ rootName: 'run', mode: 'live', tags: [] })
  })

  test('the root is the earliest span without a stored parent, whether it has none or it is missing', () => {
    const spans = [
      span('late', null, { name: 'late', startedAt: 30n }),
      span('orphan', 'lost', { name: 'orphan', startedAt: 20n }),
      span('child', 'late', { name: 'child', startedAt: 10n }),
    ]
    expect(computeTotals(spans, null).rootName).toBe('orphan')
  })

  test('a cycle names the trace only when there is no root', () => {
    const circle = [
      span('b', 'c', { name: 'b', startedAt: 1n }),
      span('c', 'b', { name: 'c', startedAt: 2n }),
    ]
    expect(computeTotals(circle, null).rootName).toBe('b')
    expect(
      computeTotals([...circle, span('r', null, { name: 'r', startedAt: 3n })], null).rootName,
    ).toBe('r')
  })

  test('the span nearest to the root sets the attributes of the trace, not the earliest', () => {
    const spans = [
      span('root', null, { startedAt: 5n }),
      span('deep', 'child', { startedAt: 1n, sessionId: 'deep', service: 'deep' }),
      span('child', 'root', { startedAt: 9n, sessionId: 'child' }),
      span('second', 'root', { startedAt: 9n, spanId: 'second', sessionId: 'second' }),
    ]
    expect(computeTotals(spans, null)).toMatchObject({ sessionId: 'child', service: 'deep' })
  })

  test('one OTLP span makes it an OTLP trace, one span with an error a trace with an error', () => {
    const spans = [span('a', null), span('b', 'a', { source: 'otlp', status: 'ERROR' })]
    expect(computeTotals(spans, null)).toMatchObject({
      source: 'otlp',
      status: 'ERROR',
      errorCount: 1,
    })
    expect(computeTotals([span('a', null)], null)).toMatchObject({ source: 'json', status: 'OK' })
  })
})

test('ties in start time are broken by the bytes of the span ids', () => {
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
  expect(computeTotals(spans, null).rootName).toBe('first')
})

test('the order of the spans does not matter', () => {
  fc.assert(
    fc.property(
      anySpans.chain((spans) =>
        fc.tuple(
          fc.constant(spans),
          fc.shuffledSubarray(spans, { minLength: spans.length, maxLength: spans.length }),
        ),
      ),
      ([spans, shuffled]) => {
        expect(computeTotals(shuffled, null)).toEqual(computeTotals(spans, null))
      },
    ),
  )
})

test('every number of a trace is finite', () => {
  fc.assert(
    fc.property(anySpans, (spans) => {
      const { durationMs, tokensIn, tokensOut, costUsd } = computeTotals(spans, null)
      for (const amount of [durationMs, tokensIn, tokensOut, costUsd ?? 0]) {
        expect(amount).toSatisfy(Number.isFinite)
        expect(amount).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test('T2: without cycles and response ids, exactly the spans with tokens and no descendant with tokens are counted', () => {
  const forward = anySpans.map((spans) =>
    spans.map((each) => {
      const isForward = each.parentSpanId !== null && each.parentSpanId < each.spanId
      const parentSpanId = isForward ? each.parentSpanId : null
      return { ...each, sdk: null, responseId: null, parentSpanId }
    }),
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
      expect(computeTotals(spans, null).tokensIn).toBe(expected)
    }),
  )
})

test.each([
  ['a chain', (i: number) => (i === 0 ? null : String(i - 1))],
  ['one cycle', (i: number) => String((i + 1) % 100_000)],
  ['one parent', (i: number) => (i === 0 ? null : '0')],
])('100,000 spans as %s are all counted', (_shape, parentOf) => {
  const spans = Array.from({ length: 100_000 }, (_, i) => span(String(i), parentOf(i)))
  expect(computeTotals(spans, null).spanCount).toBe(100_000)
})
