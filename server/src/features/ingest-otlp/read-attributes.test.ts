import { describe, expect, test } from 'vitest'
import {
  jsonBytes,
  protobufBytes,
  protobufField,
  protobufSpan,
} from '../../../test/otlp-request.ts'
import {
  fromBoth,
  fromJson,
  only,
  readAttributes,
  spanWith,
  toRequest,
} from '../../../test/read-otlp.ts'
import type { Span } from '../../domain/span.ts'
import { readRequest } from './encode-traces.ts'

/*
 * Regression tests for known faults of other receivers: attributes and their values.
 */

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
