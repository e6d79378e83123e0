import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import protobuf from 'protobufjs'
import { describe, expect, test } from 'vitest'
import {
  groupsByProtobufjs,
  jsonBytes,
  otlpRequests,
  protobufBytes,
  protobufField,
} from '../../../../test/otlp-request.ts'
import { Failure } from '../../../platform/failure.ts'
import { readRequest } from '../encode-traces.ts'
import { decodeJson } from './decode-json.ts'
import { decodeProtobuf } from './decode-protobuf.ts'
import { newProblems } from './problems.ts'

type Encoding = 'json' | 'protobuf'

describe('one request in both encodings', () => {
  test('is decoded as by protobufjs, to the last digit', () => {
    fc.assert(
      fc.property(otlpRequests, (request) => {
        const problems = newProblems()
        // Scopes without spans are left out: a request may have a million of them.
        const expected = groupsByProtobufjs(protobufBytes(request)).filter(
          ({ spans }) => spans.length > 0,
        )
        expect(decodeProtobuf(protobufBytes(request), problems)).toEqual(expected)
        expect(decodeJson(jsonBytes(request), problems)).toEqual(expected)
        expect(problems.report()).toEqual({ rejected: 0, rejections: {}, errorMessage: '' })
      }),
      { numRuns: 200 },
    )
  })

  test('returns the same stored spans, whose bodies are JSON', () => {
    fc.assert(
      fc.property(otlpRequests, (request) => {
        const fromProtobuf = read(protobufBytes(request), 'protobuf')
        expect(read(jsonBytes(request), 'json')).toEqual(fromProtobuf)
      }),
    )
  })
})

describe('any bytes are decoded or refused', () => {
  test('random bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('json', 'protobuf'),
        (bytes, encoding) => {
          read(bytes, encoding)
        },
      ),
      { numRuns: 300 },
    )
  })

  test.each(['sdk', 'openinference'])('%s: a request cut short anywhere', (name) => {
    const bytes = recorded(name)
    const lengths = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1)
    const taken = lengths.filter((length) => read(bytes.slice(0, length), 'protobuf') !== 'refused')
    expect(taken).toEqual([])
  })

  test('a request with bytes changed', () => {
    const bytes = recorded('sdk')
    const changes = fc.array(fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(changes, (list) => {
        const changed = Uint8Array.from(bytes)
        for (const [at, byte] of list) changed[at] = byte
        read(changed, 'protobuf')
      }),
      { numRuns: 300 },
    )
  })

  test('a JSON request with characters changed', () => {
    const text = readFileSync(fixture('sdk.json'), 'latin1')
    const changes = fc.tuple(
      fc.nat({ max: text.length - 1 }),
      fc.nat({ max: 20 }),
      fc.constantFrom('', 'null', '1', '{}', '[]', '"x"', '-1.5', '}', '\\', 'true', '1e999'),
    )
    fc.assert(
      fc.property(changes, ([at, length, put]) => {
        const changed = text.slice(0, at) + put + text.slice(at + length)
        read(Uint8Array.from(Buffer.from(changed, 'latin1')), 'json')
      }),
      { numRuns: 300 },
    )
  })

  test('JSON sent as protobuf and protobuf sent as JSON are refused', () => {
    expect(read(recorded('sdk'), 'json')).toBe('refused')
    expect(read(Uint8Array.from(readFileSync(fixture('sdk.json'))), 'protobuf')).toBe('refused')
    expect(read(Uint8Array.from(readFileSync(fixture('sdk.pb.gz'))), 'protobuf')).toBe('refused')
  })
})

describe('another signal sent to the traces endpoint', () => {
  const { root } = protobuf.parse(
    `syntax = "proto3";
    message Logs { repeated ResourceLogs resourceLogs = 1; }
    message ResourceLogs { repeated ScopeLogs scopeLogs = 2; }
    message ScopeLogs { repeated LogRecord logRecords = 2; }
    message LogRecord {
      fixed64 timeUnixNano = 1; int32 severityNumber = 2; string severityText = 3; Text body = 5;
      repeated KeyValue attributes = 6; fixed32 flags = 8; bytes traceId = 9; bytes spanId = 10;
      fixed64 observed = 11; string eventName = 12;
    }
    message KeyValue { string key = 1; Text value = 2; }
    message Text { string stringValue = 1; }
    message Metrics { repeated ResourceMetrics resourceMetrics = 1; }
    message ResourceMetrics { repeated ScopeMetrics scopeMetrics = 2; }
    message ScopeMetrics { repeated Metric metrics = 2; }
    message Metric { string name = 1; string description = 2; string unit = 3; Sum sum = 7; }
    message Sum { repeated Point points = 1; int32 temporality = 2; bool monotonic = 3; }
    message Point { fixed64 start = 2; fixed64 time = 3; double value = 4; }`,
    { keepCase: true },
  )
  const encoded = (type: string, message: Record<string, unknown>) => {
    const found = root.lookupType(type)
    return Uint8Array.from(found.encode(found.fromObject(message)).finish())
  }
  const time = '1795170484075000000'
  const full = {
    timeUnixNano: time,
    severityNumber: 9,
    severityText: 'INFO',
    body: { stringValue: 'hello' },
    attributes: [{ key: 'a', value: { stringValue: 'b' } }],
    traceId: Buffer.alloc(16, 1),
    spanId: Buffer.alloc(8, 1),
    observed: time,
    eventName: 'x',
  }
  const logs = (record: unknown) =>
    encoded('Logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })
  const metric = {
    name: 'sixteen bytes ok',
    description: '8 bytes.',
    sum: { points: [{ start: time, time, value: 1 }] },
  }
  const metrics = encoded('Metrics', {
    resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }],
  })

  test.each([
    ['a log record', logs(full)],
    ['a log record of little', logs({ timeUnixNano: time, body: { stringValue: 'hello' } })],
    ['a metric whose name is as long as an id', metrics],
  ])('yields no span from %s', (_what, bytes) => {
    const { spans, rejected, errorMessage } = readRequest({
      bytes,
      encoding: 'protobuf',
      compression: 'identity',
    })
    expect({ spans, rejected }).toEqual({ spans: [], rejected: 1 })
    expect(errorMessage).toMatch(/^Spans not stored: 1\./)
  })

  test.each([
    [{ resourceLogs: [{}] }, /logs/],
    [{ resourceMetrics: [{}] }, /metrics/],
    [{ resource_spans: [{}] }, /lowerCamelCase/],
    [{ spans: [{}] }, /no resourceSpans/],
    [{ resourceSpans: [{ scope_spans: [{}] }] }, /lowerCamelCase/],
  ])('is reported in JSON: %j', (body, warnRequest) => {
    const bytes = jsonBytes(body)
    const response = readRequest({ bytes, encoding: 'json', compression: 'identity' })
    expect(response).toEqual({
      spans: [],
      rejected: 0,
      rejections: {},
      errorMessage: expect.stringMatching(warnRequest),
    })
  })
})

describe('a request that expands to many items', () => {
  const repeated = (pair: readonly number[], sizeBytes: number) =>
    Buffer.alloc(sizeBytes - (sizeBytes % pair.length), Buffer.from(pair))
  const mib32 = 2 ** 25

  test.each([
    ['resources', repeated([0x0a, 0], mib32)],
    ['scopes', protobufField(1, repeated([0x12, 0], mib32 - 10))],
    [
      'attributes',
      protobufField(1, protobufField(2, protobufField(2, repeated([0x4a, 0], mib32 - 30)))),
    ],
    [
      'events',
      protobufField(1, protobufField(2, protobufField(2, repeated([0x5a, 0], mib32 - 30)))),
    ],
    [
      'links',
      protobufField(1, protobufField(2, protobufField(2, repeated([0x6a, 0], mib32 - 30)))),
    ],
    [
      'list elements',
      protobufField(
        1,
        protobufField(
          2,
          protobufField(
            2,
            protobufField(9, protobufField(2, protobufField(5, repeated([0x0a, 0], mib32 - 60)))),
          ),
        ),
      ),
    ],
  ])('is refused for 16 million empty %s', (_what, bytes) => {
    expect(() => decodeProtobuf(bytes, newProblems())).toThrow(
      /^The OTLP payload has more than 1500000 /,
    )
  })

  test('is refused for too many spans', () => {
    const bytes = protobufField(1, protobufField(2, repeated([0x12, 0], 2 * 100_001)))
    expect(() => decodeProtobuf(bytes, newProblems())).toThrow(
      'The OTLP payload has more than 100000 spans.',
    )
  })

  test.each([
    ['empty lists', `{"resourceSpans":[${'[],'.repeat(5_000_000)}[]]}`],
    ['nested lists', `{"resourceSpans":${'['.repeat(1_000_000)}`],
  ])('is refused for %s in JSON', (_what, text) => {
    expect(() => decodeJson(new TextEncoder().encode(text), newProblems())).toThrow(Failure)
  })
})

describe('unusual but valid protobuf', () => {
  test('groups and unknown fields are skipped, nested groups to a maximum depth', () => {
    const group = [0x7b, 0x83, 0x01, 0x08, 0x05, 0x84, 0x01, 0x7c]
    const unknown = [0x50, 0x01, 0x99, 0x06, 1, 2, 3, 4, 5, 6, 7, 8, 0x95, 0x06, 1, 2, 3, 4]
    const bytes = Uint8Array.from([...group, ...unknown, ...group])
    expect(decodeProtobuf(bytes, newProblems())).toEqual([])
  })

  test.each([
    ['a group without an end', [0x7b, 0x08, 0x01]],
    ['the end of a group that never started', [0x7c]],
    ['the end of another group', [0x7b, 0x84, 0x01]],
    ['groups nested too deeply', Array.from({ length: 5000 }, () => 0x7b)],
    ['field number 0', [0x02, 0x00]],
    ['a kind of field that does not exist', [0x0e]],
    ['a number of eleven bytes', [0x50, ...Array.from({ length: 10 }, () => 0xff), 0x01]],
    ['a length beyond the end', [0x0a, 0x7f, 0x00]],
    ['a length beyond 32 bits', [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
  ])('refused with its position: %s', (_what, bytes) => {
    expect(() => decodeProtobuf(Uint8Array.from(bytes), newProblems())).toThrow(
      /^The body is not a protobuf ExportTraceServiceRequest: .* at byte \d+\.$/,
    )
  })
})

/** The spans, checked to be storable; 'refused' for a refusal declared in the contract. */
function read(bytes: Uint8Array, encoding: string) {
  try {
    const body = { bytes: Uint8Array.from(bytes), encoding: encoding as Encoding }
    const { spans } = readRequest({ ...body, compression: 'identity' })
    for (const { body: texts, ...head } of spans) {
      for (const text of Object.values(texts)) {
        JSON.parse(text)
        expect(text.isWellFormed()).toBe(true)
      }
      for (const value of Object.values(head)) {
        if (typeof value === 'string')
          expect(value.isWellFormed() && !value.includes('\0')).toBe(true)
        if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
      }
    }
    return spans
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect([error.code, error.status]).toEqual(['VALIDATION_ERROR', 400])
    return 'refused'
  }
}

function fixture(name: string): string {
  return join(import.meta.dirname, '../fixtures', name)
}

function recorded(name: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(gunzipSync(readFileSync(fixture(`${name}.pb.gz`))))
}
