import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { jsonBytes } from '../../../test/otlp-request.ts'
import {
  fromBoth,
  fromJson,
  fromProtobuf,
  only,
  spanWith,
  toRequest,
} from '../../../test/read-otlp.ts'
import { Failure } from '../../platform/failure.ts'
import { readRequest } from './encode-traces.ts'

/*
 * Regression tests for known faults of other receivers: whole requests.
 */

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

  // These took minutes when each scope serialized the resource.
  test.each(['k', 'telemetry.sdk.name'])(
    'a large resource attribute %s is read once for all of its scopes',
    (key) => {
      const resource = { attributes: [{ key, value: { stringValue: 'x'.repeat(2 ** 22) } }] }
      const scopeSpans = [
        ...Array.from({ length: 20_000 }, () => ({ spans: [] })),
        { spans: [spanWith({})] },
      ]
      const { spans } = fromBoth({ resourceSpans: [{ resource, scopeSpans }] })
      expect(spans).toHaveLength(1)
    },
  )
})

function refusal(act: () => unknown): Failure {
  try {
    act()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('nothing was refused')
}
