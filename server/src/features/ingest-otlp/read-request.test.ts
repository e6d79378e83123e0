import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  jsonBytes,
  type OtlpRequest,
  type OtlpSpan,
  protobufBytes,
  protobufField,
  protobufSpan,
} from '../../../test/otlp-request.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Span } from '../../domain/span.ts'
import { Failure } from '../../platform/failure.ts'
import { readRequest } from './encode-traces.ts'

/*
 * Regression tests for known faults of other receivers. The numbers are those of the fault catalog.
 */

const traceId = '0af7651916cd43dd8448eb211c80319c'
const start = '1795170484075000000'
const end = '1795170484076500000'

function spanWith(members: OtlpSpan = {}): OtlpSpan {
  return {
    traceId,
    spanId: 'b7ad6b7169203331',
    name: 'chat',
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    ...members,
  }
}

function toRequest(...spans: unknown[]): OtlpRequest {
  return { resourceSpans: [{ scopeSpans: [{ spans: spans as OtlpSpan[] }] }] }
}

function fromJson(request: unknown) {
  return readRequest({ bytes: jsonBytes(request), encoding: 'json', compression: 'identity' })
}

function fromProtobuf(request: OtlpRequest) {
  const bytes = protobufBytes(request)
  return readRequest({ bytes, encoding: 'protobuf', compression: 'identity' })
}

/** Decodes both encodings, which must agree. */
function fromBoth(request: OtlpRequest) {
  const response = fromJson(request)
  expect(fromProtobuf(request)).toEqual(response)
  return response
}

function only(response: { readonly spans: readonly Span[] }): Span {
  expect(response.spans).toHaveLength(1)
  return response.spans[0] as Span
}

function readAttributes(span: Span): unknown {
  return JSON.parse(span.body.attributes)
}

function refusal(act: () => unknown): Failure {
  try {
    act()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('attributes', () => {
  test('an intValue is the same number as text and as number, and its neighbors survive', () => {
    const requestWith = (intValue: unknown) =>
      toRequest(
        spanWith({ attributes: [{ key: 'gen_ai.usage.input_tokens', value: { intValue } }] }),
        spanWith({ spanId: '00f067aa0ba902b7' }),
      )
    const response = fromJson(requestWith('7'))
    expect(fromJson(requestWith(7))).toEqual(response)
    expect(response.spans.map(({ tokensIn }) => tokensIn)).toEqual([7, null])
    expect(response.spans[0]?.body.attributes).toBe('{"gen_ai.usage.input_tokens":7}')
  })

  test('event times are the same as text and as number', () => {
    const time = 1_795_170_484_075_000_064
    const requestWith = (timeUnixNano: unknown) =>
      toRequest(spanWith({ events: [{ timeUnixNano, name: 'first token' }] }))
    expect(JSON.parse(only(fromJson(requestWith(String(BigInt(time))))).body.events)).toEqual([
      { name: 'first token', time: '2026-11-20T10:28:04.075000064Z', attributes: {} },
    ])
    expect(fromJson(requestWith(time))).toEqual(fromJson(requestWith(String(BigInt(time)))))
  })

  test.each([
    ['9007199254740993'],
    ['-9007199254740993'],
    ['9223372036854775807'],
    ['-9223372036854775808'],
    ['-5'],
    [String(-(2n ** 40n))],
  ])('the integer %s keeps all its digits in both encodings', (digits) => {
    const request = toRequest(spanWith({ attributes: [{ key: 'n', value: { intValue: digits } }] }))
    expect(only(fromBoth(request)).body.attributes).toBe(`{"n":${digits}}`)
  })

  test.each([[null], ['NaN'], ['Infinity'], [-1]])(
    'the invalid token count %j is ignored, and affects nothing else',
    (doubleValue) => {
      const attributes = [
        { key: 'gen_ai.usage.input_tokens', value: { doubleValue } },
        { key: 'gen_ai.usage.output_tokens', value: { intValue: '5' } },
      ]
      const span = only(fromJson(toRequest(spanWith({ attributes }))))
      expect([span.tokensIn, span.tokensOut]).toEqual([null, 5])
      expect(readAttributes(span)).toEqual({
        'gen_ai.usage.input_tokens': doubleValue,
        'gen_ai.usage.output_tokens': 5,
      })
    },
  )

  test('a key without a value is stored without one', () => {
    const span = only(fromBoth(toRequest(spanWith({ attributes: [{ key: 'empty' }] }))))
    expect(span.body.attributes).toBe('{"empty":null}')
  })

  test('the last of equal keys wins, and names of prototype members are ordinary keys', () => {
    const attributes = ['one', 'two'].flatMap((stringValue) =>
      ['a', '__proto__', 'constructor', 'toString'].map((key) => ({ key, value: { stringValue } })),
    )
    const { body } = only(fromBoth(toRequest(spanWith({ attributes }))))
    expect(body.attributes).toBe(
      '{"a":"two","__proto__":"two","constructor":"two","toString":"two"}',
    )
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })

  test.each(['json', 'protobuf'] as const)(
    'invalid UTF-8 in %s is replaced, and affects nothing else',
    (encoding) => {
      const request = toRequest(
        spanWith({ attributes: [{ key: 'prompt', value: { stringValue: 'naïve?' } }] }),
        spanWith({ spanId: '00f067aa0ba902b7' }),
      )
      const bytes = encoding === 'json' ? jsonBytes(request) : protobufBytes(request)
      // The second byte of the ï is missing, as when a sender truncates text by bytes.
      bytes[Buffer.from(bytes).indexOf('ï') + 1] = 0x3f
      const { spans } = readRequest({ bytes, encoding, compression: 'identity' })
      expect(spans.map(({ body }) => body.attributes)).toEqual(['{"prompt":"na\uFFFD?ve?"}', '{}'])
    },
  )

  test('JSON text that was cut in the middle of a character is decoded', () => {
    const attributes = [{ key: 'prompt', value: { stringValue: 'naïX' } }]
    const bytes = jsonBytes(toRequest(spanWith({ attributes })))
    const at = Buffer.from(bytes).indexOf('ï')
    const cut = Uint8Array.from([...bytes.slice(0, at + 1), ...bytes.slice(at + 3)])
    const { spans } = readRequest({ bytes: cut, encoding: 'json', compression: 'identity' })
    expect(spans.map(({ body }) => body.attributes)).toEqual(['{"prompt":"na\uFFFD"}'])
  })

  test('NUL and lone surrogates become U+FFFD everywhere', () => {
    const stringValue = 'a\0b\uD800c'
    const attributes = [
      { key: 'k\0', value: { stringValue } },
      { key: 'gen_ai.input.messages', value: { stringValue: '[{"role":"\\u0000\\ud800"}]' } },
      { key: 'gen_ai.output.messages', value: { stringValue: '["\\ud83c\\udf27 \\\\u0000"]' } },
      { key: 'gen_ai.request.model', value: { stringValue } },
    ]
    const span = only(fromJson(toRequest(spanWith({ name: stringValue, attributes }))))
    expect([span.name, span.model]).toEqual(['a\uFFFDb\uFFFDc', 'a\uFFFDb\uFFFDc'])
    expect(readAttributes(span)).toMatchObject({ 'k\uFFFD': 'a\uFFFDb\uFFFDc' })
    expect(span.body.input).toBe('[{"role":"\uFFFD\uFFFD"}]')
    expect(span.body.output).toBe('["\\ud83c\\udf27 \\\\u0000"]')
  })

  test.each([
    [60, true],
    [128, true],
    [129, false],
    [5000, false],
  ])('a value %i levels deep does not affect other values', (depth, isWhole) => {
    const plain = { key: 'plain', value: { stringValue: 'kept' } }
    const deep = { key: 'deep', value: nestedJson(depth) }
    const good = spanWith({ spanId: '00f067aa0ba902b7' })
    const response = readRequest({
      bytes: toProtobuf(
        Buffer.concat([
          protobufSpan(spanWith({ attributes: [plain] })),
          protobufField(9, Buffer.concat([textField(1, 'deep'), protobufField(2, nested(depth))])),
        ]),
        protobufSpan(good),
      ),
      encoding: 'protobuf',
      compression: 'identity',
    })
    expect(response.spans).toHaveLength(2)
    const { body } = response.spans[0] as Span
    expect(body.attributes.includes('bottom')).toBe(isWhole)
    expect(JSON.parse(body.attributes)).toMatchObject({ plain: 'kept' })
    expect([response.rejected, response.errorMessage]).toEqual([
      0,
      isWhole ? '' : expect.stringMatching(/nests deeper than 128 levels .*b7ad6b7169203331/),
    ])
    const inJson = () => fromJson(toRequest(spanWith({ attributes: [plain, deep] }), good))
    if (depth < 1000) expect(inJson()).toEqual(response)
    else expect(inJson).toThrow('The body is not OTLP JSON: it nests deeper than 404 levels.')
  })
})

function textField(number: number, text: string): Uint8Array {
  return protobufField(number, Buffer.from(text))
}

function toProtobuf(...spans: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const scope = Buffer.concat(spans.map((span) => protobufField(2, span)))
  return protobufField(1, protobufField(2, scope))
}

function nested(depth: number): Uint8Array {
  let value: Uint8Array = textField(1, 'bottom')
  for (let level = 0; level < depth; level++) value = protobufField(5, protobufField(1, value))
  return value
}

function nestedJson(depth: number): unknown {
  let value: unknown = { stringValue: 'bottom' }
  for (let level = 0; level < depth; level++) value = { arrayValue: { values: [value] } }
  return value
}

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

function asciiIds() {
  return {
    traceId: Buffer.from(traceId).toString('hex'),
    spanId: Buffer.from('b7ad6b7169203331').toString('hex'),
  }
}

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

describe('requests', () => {
  test.each([
    ['an empty body of protobuf', () => fromProtobuf({ resourceSpans: [] })],
    ['an empty list', () => fromJson({ resourceSpans: [] })],
    ['an empty object', () => fromJson({})],
    [
      'envelopes without spans',
      () => fromBoth({ resourceSpans: [{ scopeSpans: [{ spans: [] }] }] }),
    ],
    ['nulls', () => fromJson({ resourceSpans: [{ resource: null, scopeSpans: null }] })],
  ])('%s is a success', (_situation, act) => {
    expect(act()).toEqual({ spans: [], rejected: 0, rejections: {}, errorMessage: '' })
  })

  test.each([
    ['a list', '[]'],
    ['text', '"spans"'],
    ['a wrong envelope', '{"resourceSpans":{}}'],
    ['a wrong scope', '{"resourceSpans":[{"scopeSpans":[{"scope":[]}]}]}'],
    [
      'attributes of a resource as a map',
      '{"resourceSpans":[{"resource":{"attributes":{"a":1}}}]}',
    ],
    ['what is cut short', '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"my-secret-pro'],
    ['malformed JSON', '{"resourceSpans":[my-secret-prompt]}'],
  ])('refused, without quoting it: %s', (_situation, text) => {
    const bytes = new TextEncoder().encode(text)
    const act = () => readRequest({ bytes, encoding: 'json', compression: 'identity' })
    expect(refusal(act)).toMatchObject({ code: 'VALIDATION_ERROR', status: 400, details: {} })
    expect(refusal(act).message).toMatch(/^The body is not OTLP JSON: [\w .]+\.$/)
    expect(refusal(act).message).not.toContain('secret')
  })

  test('a byte order mark before JSON is skipped', () => {
    const bytes = jsonBytes(toRequest(spanWith()))
    const marked = Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes])
    const read = (given: Uint8Array<ArrayBuffer>) =>
      readRequest({ bytes: given, encoding: 'json', compression: 'identity' })
    expect(read(marked)).toEqual(read(bytes))
  })

  test('scopes are accepted under their former name', () => {
    const scope = { name: 'shop', version: '2.1.0' }
    const spans = [spanWith()]
    const old = {
      resourceSpans: [{ instrumentationLibrarySpans: [{ instrumentationLibrary: scope, spans }] }],
    }
    const response = fromJson(old)
    expect(response).toEqual(fromJson({ resourceSpans: [{ scopeSpans: [{ scope, spans }] }] }))
    expect(only(response).sdk).toBe('shop 2.1.0')
  })

  test('a span that is sent twice is returned twice, the later one last', () => {
    const { spans } = fromBoth(toRequest(spanWith({ name: 'old' }), spanWith({ name: 'new' })))
    expect(spans.map(({ name }) => name)).toEqual(['old', 'new'])
  })

  test('a body that inflates beyond 32 MiB is refused', () => {
    const bytes = Uint8Array.from(gzipSync(new Uint8Array(2 ** 25 + 1)))
    const act = () => readRequest({ bytes, encoding: 'protobuf', compression: 'gzip' })
    expect(refusal(act).message).toBe('OTLP payload is too large.')
  })

  test('a resource of a megabyte does not expand to gigabytes', () => {
    const value = { stringValue: 'x'.repeat(2 ** 20) }
    const spans = Array.from({ length: 1000 }, (_, at) =>
      spanWith({ spanId: (at + 1).toString(16).padStart(16, '0') }),
    )
    const request = (count: number) => ({
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'k', value }] },
          scopeSpans: [{ spans: spans.slice(0, count) }],
        },
      ],
    })
    expect(fromBoth(request(200)).spans).toHaveLength(200)
    expect(refusal(() => fromJson(request(300))).message).toBe('OTLP payload is too large.')
  })
})
