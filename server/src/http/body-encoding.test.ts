import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../platform/failure.ts'
import { type Compression, inflated, parseCompression, parseOtlpEncoding } from './body-encoding.ts'

describe('Content-Type is read as a media type', () => {
  test.each([
    ['application/x-protobuf', 'protobuf'],
    ['APPLICATION/X-PROTOBUF', 'protobuf'],
    ['application/x-protobuf; proto=opentelemetry', 'protobuf'],
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['Application/JSON;charset=UTF-8', 'json'],
    [' application/json ', 'json'],
  ])('%j', (header, expected) => {
    expect(parseOtlpEncoding(header)).toBe(expected)
  })

  test.each([
    [undefined],
    [''],
    ['text/plain'],
    ['application/json garbage'],
    ['application/json, application/json'],
    ['application/jsonl'],
    ['application/protobuf'],
    ['; application/json'],
  ])('and refused otherwise: %j', (header) => {
    const failure = catchFailure(() => parseOtlpEncoding(header))
    expect([failure.code, failure.status]).toEqual(['VALIDATION_ERROR', 415])
    expect(failure.message).toBe('Content-Type must be application/x-protobuf or application/json.')
  })
})

describe('Content-Encoding', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    [' deflate ', 'deflate'],
  ])('%j is %s', (header, expected) => {
    expect(parseCompression(header)).toBe(expected)
  })

  test.each(['br', 'zstd', 'gzip, deflate', 'gzip gzip', 'gzip;q=1', 'snappy'])(
    '%j is refused',
    (header) => {
      const failure = catchFailure(() => parseCompression(header))
      expect([failure.status, failure.message]).toEqual([400, 'Unsupported Content-Encoding'])
    },
  )
})

const forms: readonly [string, Compression, (bytes: Uint8Array) => Uint8Array<ArrayBuffer>][] = [
  ['gzip', 'gzip', gzipSync],
  ['zlib-wrapped deflate', 'deflate', deflateSync],
  ['raw deflate', 'deflate', deflateRawSync],
  ['identity', 'identity', (bytes) => new Uint8Array(bytes)],
]

describe.each(forms)('a %s body', (_name, compression, compressed) => {
  test('is inflated unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(Buffer.from(inflated(compressed(bytes), compression, 500))).toEqual(
          Buffer.from(bytes),
        )
      }),
    )
  })

  test('may have exactly the maximum size', () => {
    const bytes = new Uint8Array(100_000)
    expect(inflated(compressed(bytes), compression, 100_000)).toHaveLength(100_000)
    const failure = catchFailure(() => inflated(compressed(bytes), compression, 99_999))
    expect([failure.status, failure.message]).toEqual([400, 'OTLP payload is too large.'])
  })
})

describe('a damaged body', () => {
  const text = 'a prompt that must not be repeated '.repeat(20)

  test.each(forms.slice(0, 3))(
    'of %s is refused wherever it is cut',
    (_name, compression, compressed) => {
      const whole = compressed(Buffer.from(text))
      for (let length = 0; length < whole.length; length++) {
        const failure = catchFailure(() => inflated(whole.slice(0, length), compression, 10_000))
        expect([failure.code, failure.status]).toEqual(['VALIDATION_ERROR', 400])
      }
    },
  )

  test('is refused without repeating its content', () => {
    const failure = catchFailure(() => inflated(Uint8Array.from(Buffer.from(text)), 'gzip', 10_000))
    expect(failure.message).toBe('The body is not valid gzip data, or was cut short.')
    expect(failure.details).toEqual({})
  })

  test('that ends in an impossible size is refused as such, not when it has become too large', () => {
    const whole = gzipSync(new Uint8Array(2 ** 21))
    const cut = Uint8Array.from([...whole.subarray(0, 1500), ...[0xff, 0xff, 0xff, 0x7f]])
    expect(catchFailure(() => inflated(cut, 'gzip', 2 ** 20)).message).toBe(
      'The body is not valid gzip data, or was cut short.',
    )
  })

  test('of random bytes is inflated or refused', () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.constantFrom<Compression>('gzip', 'deflate'),
        (bytes, compression) => {
          try {
            expect(inflated(Uint8Array.from(bytes), compression, 1000).length).toBeLessThanOrEqual(
              1000,
            )
          } catch (error) {
            expect(error).toBeInstanceOf(Failure)
          }
        },
      ),
    )
  })

  test('of 1 MB that would inflate to 1 GiB is refused at 32 MiB', () => {
    const member = gzipSync(new Uint8Array(2 ** 26))
    const bomb = Uint8Array.from(Buffer.concat(Array.from({ length: 16 }, () => member)))
    expect(() => inflated(bomb, 'gzip', 2 ** 25)).toThrow('OTLP payload is too large.')
  })
})

function catchFailure(act: () => unknown): Failure {
  try {
    act()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('nothing was refused')
}
