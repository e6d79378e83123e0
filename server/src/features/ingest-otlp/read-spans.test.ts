import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  end,
  fromBoth,
  fromJson,
  only,
  readAttributes,
  spanWith,
  start,
  toRequest,
  traceId,
} from '../../../test/read-otlp.ts'
import { formatInstant } from '../../domain/instant.ts'

/*
 * Regression tests for known faults of other receivers: spans with missing or invalid parts.
 */

describe('spans that cannot be stored', () => {
  test('one of 512 is reported, and the others are stored', () => {
    const spans = Array.from({ length: 512 }, (_, at) =>
      spanWith({ spanId: (at + 1).toString(16).padStart(16, '0') }),
    )
    spans[99] = spanWith({ traceId: '0'.repeat(32), spanId: '00f067aa0ba902b7' })
    const response = fromBoth(toRequest(...spans))
    expect(response.spans).toHaveLength(511)
    expect(response.rejected).toBe(1)
    expect(response.errorMessage).toBe(
      'Spans not stored: 1. The trace id is missing, all zero or not 16 bytes (span 00f067aa0ba902b7).',
    )
  })

  test.each([
    ['no trace id', { traceId: undefined }, 'The trace id'],
    ['no span id', { spanId: undefined }, 'The span id'],
    ['a span id of zeros', { spanId: '0'.repeat(16) }, 'The span id'],
    ['ids that are the text of hexadecimal digits', asciiIds(), 'The trace id'],
    ['a trace id of 8 bytes', { traceId: 'b7ad6b7169203331' }, 'The trace id'],
    ['a time after 2261', { endTimeUnixNano: String(2n ** 63n) }, 'A time'],
    [
      'no time at all',
      { startTimeUnixNano: undefined, endTimeUnixNano: undefined },
      'Both start and end',
    ],
  ])('%s', (_situation, members, reason) => {
    const good = spanWith({ spanId: '00f067aa0ba902b7' })
    const response = fromBoth(toRequest(spanWith(members), good))
    expect(response.spans.map(({ spanId }) => spanId)).toEqual(['00f067aa0ba902b7'])
    expect(response.rejected).toBe(1)
    expect(response.errorMessage).toMatch(new RegExp(`^Spans not stored: 1\\. ${reason}.*\\.$`))
  })

  test.each([
    ['ids in base64', { traceId: 'CvdlGRbNQ92ESOshHIAxnA==' }],
    ['members in snake_case', { traceId: undefined, trace_id: traceId }],
    ['attributes as a map', { attributes: { a: 'b' } }],
    ['events that are not a list', { events: 'none' }],
    ['an attribute that is not a key-value pair', { attributes: ['a'] }],
    ['a value that is bare', { attributes: [{ key: 'a', value: 'b' }] }],
    ['a value of the wrong type', { attributes: [{ key: 'a', value: { stringValue: 1 } }] }],
    ['an integer with a fraction', { attributes: [{ key: 'a', value: { intValue: 1.5 } }] }],
    [
      'an integer beyond 64 bits',
      { attributes: [{ key: 'a', value: { intValue: '9'.repeat(19) } }] },
    ],
    ['a time that is not a number', { startTimeUnixNano: '2026-11-20T10:28:04Z' }],
    ['a name that is a number', { name: 7 }],
    ['a status that is text', { status: 'ERROR' }],
  ])('in JSON: %s', (_situation, members) => {
    const good = spanWith({ spanId: '00f067aa0ba902b7' })
    const response = fromJson(toRequest(spanWith(members), null, 'span', [], good))
    expect(response.spans.map(({ spanId }) => spanId)).toEqual(['00f067aa0ba902b7'])
    expect(response.rejected).toBe(4)
  })

  test('the message is short, and contains nothing of the request', () => {
    const secret = 'my-secret-prompt'
    const broken = Array.from({ length: 1000 }, (_, at) => [
      spanWith({ traceId: `${secret}${at}`, name: secret }),
      spanWith({ spanId: secret, attributes: [{ key: secret, value: { intValue: secret } }] }),
      spanWith({ startTimeUnixNano: secret }),
      spanWith({ events: secret }),
      spanWith({ links: secret as never }),
      spanWith({ status: secret }),
      spanWith({ name: { secret } }),
    ])
    const { rejected, errorMessage } = fromJson(toRequest(...broken.flat()))
    expect(rejected).toBe(7000)
    expect(errorMessage).not.toContain('secret')
    expect(errorMessage.length).toBeLessThan(1000)
    expect(errorMessage).toContain('There were other reasons too.')
  })
})

describe('missing and invalid parts of a span', () => {
  test('a span without a kind, a name and a status is stored', () => {
    const { name, kind, status, statusMessage } = only(
      fromBoth(toRequest(spanWith({ name: undefined, kind: undefined }))),
    )
    expect({ name, kind, status, statusMessage }).toEqual({
      name: 'unknown',
      kind: 'span',
      status: 'OK',
      statusMessage: null,
    })
  })

  test.each([
    ['no end', { endTimeUnixNano: undefined }, start, start, 0],
    ['no start', { startTimeUnixNano: '0' }, end, end, 0],
    ['an end before the start', { endTimeUnixNano: '1795170484074999999' }, start, start, 0],
    ['both', {}, start, end, 1.5],
    [
      'a nanosecond',
      { endTimeUnixNano: '1795170484075000001' },
      start,
      '1795170484075000001',
      1e-6,
    ],
  ])(
    'times are completed and corrected: %s',
    (_situation, members, startedAt, endedAt, latencyMs) => {
      const span = only(fromBoth(toRequest(spanWith(members))))
      expect([span.startedAt, span.endedAt, span.latencyMs]).toEqual([
        BigInt(startedAt),
        BigInt(endedAt),
        latencyMs,
      ])
    },
  )

  test('an end that was moved is reported and stored', () => {
    const response = fromBoth(toRequest(spanWith({ endTimeUnixNano: '1795170484074999999' })))
    expect(response.errorMessage).toBe(
      'Stored with a change: The end is before the start (span b7ad6b7169203331).',
    )
    expect(only(response).body.attributes).toBe('{"otel.end_time_unix_nano":1795170484074999999}')
  })

  test('an event time outside the years 1970 to 2261 is dropped, and its span is stored', () => {
    const events = [
      { name: 'late', timeUnixNano: '9214646400000000000' },
      { name: 'timely', timeUnixNano: start },
    ]
    const response = fromBoth(toRequest(spanWith({ events })))
    expect(JSON.parse(only(response).body.events)).toEqual([
      { name: 'late', time: null, attributes: {} },
      { name: 'timely', time: '2026-11-20T10:28:04.075Z', attributes: {} },
    ])
    expect(response.errorMessage).toBe(
      'Stored with a change: The time of an event is outside the years 1970 to 2261 (span b7ad6b7169203331).',
    )
  })

  test('every stored time is in the years 1970 to 2261, whatever times arrive', () => {
    const time = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.constantFrom(1e18, 1e19, 1e21, 1e22, 1e308, -1, '1e22', start),
      fc.bigInt(-(2n ** 70n), 2n ** 70n).map(String),
    )
    fc.assert(
      fc.property(time, time, time, (startTimeUnixNano, endTimeUnixNano, timeUnixNano) => {
        const events = [{ name: 'e', timeUnixNano }]
        const span = spanWith({ events })
        const { spans } = fromJson(
          toRequest({ ...span, startTimeUnixNano, endTimeUnixNano }, span, spanWith()),
        )
        expect(spans.at(-1)?.startedAt).toBe(BigInt(start))
        for (const { startedAt, endedAt, body } of spans) {
          const [event] = JSON.parse(body.events) as { time: string | null }[]
          const times = [formatInstant(startedAt), formatInstant(endedAt), event?.time ?? '1970']
          expect(times.filter((each) => each < '1970' || each >= '2262')).toEqual([])
        }
      }),
    )
  })

  test.each([
    ['none', undefined, null],
    ['empty', '', null],
    ['zeros', '0'.repeat(16), null],
    ['another length', 'abcd', null],
    ['one that is not in the request', '00f067aa0ba902b7', '00f067aa0ba902b7'],
  ])('a parent id: %s', (_situation, reported, stored) => {
    const { rejected, ...response } = fromBoth(toRequest(spanWith({ parentSpanId: reported })))
    expect([only(response).parentSpanId, rejected]).toEqual([stored, 0])
    expect(response.errorMessage !== '').toBe(reported === 'abcd')
  })

  test('members without their own field are stored as attributes', () => {
    const span = only(
      fromBoth(
        toRequest(
          spanWith({
            kind: 3,
            flags: 0x301,
            traceState: 'vendor=1',
            status: { code: 1 },
            droppedAttributesCount: 1,
            droppedEventsCount: 2,
            droppedLinksCount: 3,
            attributes: [{ key: 'otel.trace_state', value: { stringValue: 'the sender’s' } }],
          }),
        ),
      ),
    )
    expect(readAttributes(span)).toEqual({
      'otel.trace_state': 'the sender’s',
      'otel.span_kind': 'client',
      'otel.status_code': 'OK',
      'otel.parent_is_remote': true,
      'otel.dropped_attributes_count': 1,
      'otel.dropped_events_count': 2,
      'otel.dropped_links_count': 3,
    })
  })

  test('upper-case ids and enumeration names are accepted in JSON', () => {
    const reported = { kind: 'SPAN_KIND_CLIENT', status: { code: 'STATUS_CODE_ERROR' } }
    const upper = { ...reported, traceId: traceId.toUpperCase(), spanId: 'B7AD6B7169203331' }
    const numbers = { kind: 3, status: { code: 2 } }
    expect(fromJson(toRequest(spanWith(upper)))).toEqual(fromJson(toRequest(spanWith(numbers))))
  })

  test('texts over the limit are truncated between characters', () => {
    const long = '🌧'.repeat(3000)
    const attributes = [
      { key: 'gen_ai.request.model', value: { stringValue: `x${long}` } },
      { key: 'session.id', value: { stringValue: long } },
      { key: 'deployment.environment.name', value: { stringValue: `x${long}` } },
    ]
    const status = { code: 2, message: `x${long}` }
    const span = only(fromBoth(toRequest(spanWith({ name: `x${long}`, attributes, status }))))
    expect(span.name).toBe(`x${'🌧'.repeat(255)}`)
    expect(span.model).toBe(`x${'🌧'.repeat(127)}`)
    expect(span.sessionId).toBe('🌧'.repeat(128))
    expect(span.environment).toBe(`x${'🌧'.repeat(31)}`)
    expect(span.statusMessage).toBe(`x${'🌧'.repeat(2047)}`)
    expect(readAttributes(span)).toMatchObject({ 'session.id': long })
  })
})

function asciiIds() {
  return {
    traceId: Buffer.from(traceId).toString('hex'),
    spanId: Buffer.from('b7ad6b7169203331').toString('hex'),
  }
}
