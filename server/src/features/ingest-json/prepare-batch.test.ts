import { describe, expect, test } from 'vitest'
import { prepareBatch } from './prepare-batch.ts'

const minimal = { span_id: 's', name: 'n', started_at: '2026-01-01T00:00:00Z' }

function prepared(span: object, batch: object = {}) {
  const text = JSON.stringify({ trace_id: 't', spans: [{ ...minimal, ...span }], ...batch })
  return prepareBatch(new TextEncoder().encode(text))
}

function onlySpan(span: object) {
  const [stored] = prepared(span).spans
  if (stored === undefined) throw new Error('no span')
  return stored
}

describe('the stored form of a span', () => {
  test('a minimal span is a function without duration, usage or cost', () => {
    expect(onlySpan({})).toMatchObject({
      traceId: 't',
      kind: 'function',
      status: 'OK',
      endedAt: 1767225600000000000n,
      latencyMs: 0,
      tokensIn: null,
      costUsd: null,
      costSource: 'unknown',
      body: { input: 'null', output: 'null', attributes: '{}', events: '[]' },
    })
  })

  test.each([
    ['latency without an end', { latency_ms: 1.5 }, 1767225600001500000n, 1.5],
    [
      'an end without latency',
      { ended_at: '2026-01-01T00:00:00.0025Z' },
      1767225600002500000n,
      2.5,
    ],
    [
      'both, which may disagree',
      { ended_at: '2026-01-01T00:00:01Z', latency_ms: 7 },
      1767225601000000000n,
      7,
    ],
  ])('%s', (_situation, span, endedAt, latencyMs) => {
    expect(onlySpan(span)).toMatchObject({ endedAt, latencyMs })
  })

  test('a cost of zero is a reported cost', () => {
    expect(onlySpan({ cost_usd: 0 })).toMatchObject({ costUsd: 0, costSource: 'reported' })
  })

  test('input and output are stored as sent: objects, bare text, lists, big numbers, odd keys', () => {
    const text = `{"trace_id":"t","spans":[{"span_id":"s","name":"n","started_at":"2026-01-01T00:00:00Z",
      "input":{"id":12345678901234567891,"__proto__":{"x":1},"b":1,"a":2},"output":"bare"}]}`
    const [span] = prepareBatch(new TextEncoder().encode(text)).spans
    expect(span?.body.input).toBe('{"id":12345678901234567891,"__proto__":{"x":1},"b":1,"a":2}')
    expect(span?.body.output).toBe('"bare"')
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  test('characters that cannot be stored are replaced everywhere, including ids', () => {
    const span = onlySpan({ span_id: 'a\0', name: 'b\uD800', input: { 'c\0': 'd\uDFFF' } })
    expect(span).toMatchObject({ spanId: 'a\uFFFD', name: 'b\uFFFD' })
    expect(span.body.input).toBe('{"c\uFFFD":"d\uFFFD"}')
  })
})

describe('the labels of a batch', () => {
  test('are the members of the batch, and null where they are absent', () => {
    expect(prepared({}).labels).toEqual({
      rootName: null,
      environment: null,
      mode: null,
      tags: [],
      sessionId: null,
      userId: null,
    })
    const labels = {
      root_name: 'r',
      environment: 'e',
      mode: 'simulation',
      tags: ['a'],
      session_id: 's',
      user_id: 'u',
    }
    expect(prepared({}, labels).labels).toEqual({
      rootName: 'r',
      environment: 'e',
      mode: 'simulation',
      tags: ['a'],
      sessionId: 's',
      userId: 'u',
    })
  })

  test('the status of a batch is only reported back', () => {
    expect(prepared({}, { status: 'ERROR' })).toMatchObject({
      reportedStatus: 'ERROR',
      spans: [{ status: 'OK' }],
    })
  })
})
