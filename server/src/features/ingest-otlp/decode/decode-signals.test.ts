import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonBytes } from '../../../../test/otlp-request.ts'
import {
  logsByProtobufjs,
  logsBytes,
  logsRequests,
  metricsByProtobufjs,
  metricsBytes,
  metricsRequests,
} from '../../../../test/otlp-signals.ts'
import type { DecodedGroup } from '../../../conventions/decoded-signals.ts'
import { normalizeLogs } from '../../../conventions/normalize-logs.ts'
import { normalizeMetrics } from '../../../conventions/normalize-metrics.ts'
import { Failure } from '../../../platform/failure.ts'
import { decodeLogsJson } from './decode-logs-json.ts'
import { decodeLogsProtobuf } from './decode-logs-protobuf.ts'
import { decodeMetricsJson } from './decode-metrics-json.ts'
import { decodeMetricsProtobuf } from './decode-metrics-protobuf.ts'
import { logRecordLabels, newProblems, pointLabels } from './problems.ts'

/** Scopes without items are left out: a request may have a million of them. */
const withItems = <Item>(groups: readonly DecodedGroup<Item>[]) =>
  groups.filter(({ items }) => items.length > 0)

const noProblems = { rejected: 0, rejections: {}, errorMessage: '' }

describe('one request in both encodings is decoded as by protobufjs', () => {
  test('logs', () => {
    fc.assert(
      fc.property(logsRequests, (request) => {
        const problems = newProblems()
        const expected = withItems(logsByProtobufjs(logsBytes(request)))
        expect(decodeLogsProtobuf(logsBytes(request), problems)).toEqual(expected)
        expect(decodeLogsJson(jsonBytes(request), problems)).toEqual(expected)
        expect(problems.report()).toEqual(noProblems)
      }),
      { numRuns: 200 },
    )
  })

  test('metrics', () => {
    fc.assert(
      fc.property(metricsRequests, (request) => {
        const problems = newProblems()
        const expected = withItems(metricsByProtobufjs(metricsBytes(request)))
        expect(decodeMetricsProtobuf(metricsBytes(request), problems)).toEqual(expected)
        expect(decodeMetricsJson(jsonBytes(request), problems)).toEqual(expected)
        expect(problems.report()).toEqual(noProblems)
      }),
      { numRuns: 200 },
    )
  })
})

describe('any bytes are decoded or refused, and decoded values can be stored', () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 })
  const cases = [
    ['logs', logsRequests, logsBytes, readLogs],
    ['metrics', metricsRequests, metricsBytes, readMetrics],
  ] as const

  test.each(cases)('%s with bytes changed or cut', (_name, requests, encoded, read) => {
    fc.assert(
      fc.property(requests, changes, fc.boolean(), fc.boolean(), (request, list, inJson, isCut) => {
        const whole = inJson ? jsonBytes(request) : encoded(request)
        const bytes = isCut ? whole.slice(0, Math.floor(whole.length * 0.8)) : whole
        for (const [at, byte] of list) if (bytes.length > 0) bytes[at % bytes.length] = byte
        read(bytes, inJson)
      }),
      { numRuns: 300 },
    )
  })

  test.each(cases)('%s: random bytes', (_name, _requests, _encoded, read) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, inJson) => {
        read(Uint8Array.from(bytes), inJson)
      }),
      { numRuns: 500 },
    )
  })

  function readLogs(bytes: Uint8Array, inJson: boolean): void {
    const decode = inJson ? decodeLogsJson : decodeLogsProtobuf
    for (const record of orRefused(() => normalizeLogs(decode(bytes, newProblems())))) {
      for (const text of [record.body, record.attributes, record.resource, record.scope]) {
        JSON.parse(text)
        expect(text.isWellFormed()).toBe(true)
      }
      for (const list of [record.content?.input, record.content?.output]) {
        if (typeof list === 'string') expect(Array.isArray(JSON.parse(list))).toBe(true)
      }
      expect(record.at > 0n && record.at < 2n ** 63n).toBe(true)
    }
  }

  function readMetrics(bytes: Uint8Array, inJson: boolean): void {
    const decode = inJson ? decodeMetricsJson : decodeMetricsProtobuf
    for (const { series, point } of orRefused(() =>
      normalizeMetrics(decode(bytes, newProblems())),
    )) {
      JSON.parse(series.attributes)
      expect(point.at > 0n && point.at < 2n ** 63n).toBe(true)
      const numbers = JSON.stringify(point, (_key, value: unknown) =>
        typeof value === 'number' && !Number.isFinite(value) ? 'no number' : String(value),
      )
      expect(numbers).not.toContain('no number')
    }
  }

  function orRefused<T>(read: () => readonly T[]): readonly T[] {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      expect([error.code, error.status]).toEqual(['VALIDATION_ERROR', 400])
      return []
    }
  }
})

const time = '1795170484075000000'
const toMetricsRequest = (...metrics: unknown[]) => ({
  resourceMetrics: [{ scopeMetrics: [{ metrics }] }],
})
const toLogsRequest = (...logRecords: unknown[]) => ({
  resourceLogs: [{ scopeLogs: [{ logRecords }] }],
})

describe('an invalid item is rejected alone, with a reason', () => {
  const good = { timeUnixNano: time, asInt: '7' }
  const gauge = (...dataPoints: unknown[]) => toMetricsRequest({ name: 'g', gauge: { dataPoints } })
  const histogram = (point: object) =>
    toMetricsRequest(
      {
        name: 'h',
        histogram: { aggregationTemporality: 2, dataPoints: [{ timeUnixNano: time, ...point }] },
      },
      { name: 'g', gauge: { dataPoints: [good] } },
    )

  test.each([
    ['no time', gauge({ asInt: '1' }, good), 'The time is missing'],
    ['no value', gauge({ timeUnixNano: time }, good), 'The value is missing or no finite number'],
    ['NaN', gauge({ timeUnixNano: time, asDouble: 'NaN' }, good), 'The value is missing or'],
    [
      'a year beyond',
      gauge({ ...good, timeUnixNano: '18446744073709551615' }, good),
      'A time is outside',
    ],
    ['buckets without bounds', histogram({ bucketCounts: ['1', '2'] }), 'There is not one bucket'],
    [
      'bounds that fall',
      histogram({ explicitBounds: [2, 1], bucketCounts: ['1', '2', '3'] }),
      'The bounds of the buckets do not ascend',
    ],
    [
      'a sum without temporality',
      toMetricsRequest(
        { name: 's', sum: { dataPoints: [good] } },
        { name: 'g', gauge: { dataPoints: [good] } },
      ),
      'The metric has no aggregation temporality',
    ],
    [
      'a metric without a name',
      toMetricsRequest(
        { gauge: { dataPoints: [good] } },
        { name: 'g', gauge: { dataPoints: [good] } },
      ),
      'The metric has no name',
    ],
  ])('a data point: %s', (_what, request, reason) => {
    for (const [bytes, decode] of [
      [metricsBytes(request), decodeMetricsProtobuf],
      [jsonBytes(request), decodeMetricsJson],
    ] as const) {
      const problems = newProblems(pointLabels)
      const points = decode(bytes, problems).flatMap(({ items }) =>
        items.flatMap((each) => each.points),
      )
      expect(points).toHaveLength(1)
      const { rejected, errorMessage } = problems.report()
      expect(rejected).toBe(1)
      expect(errorMessage).toMatch(
        new RegExp(`^Data points not stored: 1. ${reason}.*data point no. `),
      )
    }
  })

  test('a point marked as having no value is dropped without a report', () => {
    const request = gauge({ timeUnixNano: time, flags: 1 })
    const problems = newProblems(pointLabels)
    expect(decodeMetricsProtobuf(metricsBytes(request), problems)).toEqual([])
    expect(decodeMetricsJson(jsonBytes(request), problems)).toEqual([])
    expect(problems.report()).toEqual(noProblems)
  })

  test('a log record without any time', () => {
    const request = toLogsRequest({ body: { stringValue: 'x' } }, { observedTimeUnixNano: time })
    for (const [bytes, decode] of [
      [logsBytes(request), decodeLogsProtobuf],
      [jsonBytes(request), decodeLogsJson],
    ] as const) {
      const problems = newProblems(logRecordLabels)
      expect(decode(bytes, problems)[0]?.items).toHaveLength(1)
      expect(problems.report()).toEqual({
        rejected: 1,
        rejections: { invalid_time: 1 },
        errorMessage: 'Log records not stored: 1. The time is missing (log record no. 1).',
      })
    }
  })

  test.each(['timeUnixNano', 'observedTimeUnixNano'])(
    'a log record whose %s is outside the years 1970 to 2261',
    (member) => {
      const late = { timeUnixNano: time, [member]: 1e22 }
      const problems = newProblems(logRecordLabels)
      const [group] = decodeLogsJson(
        jsonBytes(toLogsRequest(late, { timeUnixNano: time })),
        problems,
      )
      expect(group?.items.map(({ at }) => at)).toEqual([BigInt(time)])
      expect(problems.report()).toEqual({
        rejected: 1,
        rejections: { invalid_time: 1 },
        errorMessage:
          'Log records not stored: 1. A time is outside the years 1970 to 2261 (log record no. 1).',
      })
    },
  )

  test('invalid ids are dropped, and their record is stored', () => {
    const record = { timeUnixNano: time, traceId: 'q83vEjRWeJCrze8SNFZ4kA==', spanId: 'zz' }
    const problems = newProblems(logRecordLabels)
    const [group] = decodeLogsJson(jsonBytes(toLogsRequest(record)), problems)
    expect(group?.items[0]).toMatchObject({ traceId: '', spanId: '' })
    expect(problems.report().errorMessage).toMatch(
      /^Stored with a change: The trace id is not 16 bytes/,
    )
  })

  test.each([
    ['traces', { resourceSpans: [{}] }, 'these are traces, sent to the address of logs'],
    [
      'snake case',
      { resource_logs: [{}] },
      'keys of OTLP JSON are in lowerCamelCase, resourceLogs',
    ],
    ['anything', { x: 1 }, 'the body has no resourceLogs'],
  ])('%s sent as logs are reported', (_what, request, report) => {
    const problems = newProblems(logRecordLabels)
    expect(decodeLogsJson(jsonBytes(request), problems)).toEqual([])
    expect(problems.report().errorMessage).toContain(report)
  })
})

test('a request that expands to many items is refused', () => {
  const field = (number: number, payload: Uint8Array) =>
    Buffer.concat([Uint8Array.of(number * 8 + 2), ofLength(payload.length), payload])
  const ofLength = (length: number) =>
    Uint8Array.of(
      ...[0, 7, 14].map((shift) => ((length >> shift) & 127) | 128),
      (length >> 21) & 127,
    )
  const records = Buffer.alloc(2 * 100_001, Uint8Array.of(0x12, 0))
  const logs = Uint8Array.from(field(1, field(2, records)))
  expect(() => decodeLogsProtobuf(logs, newProblems())).toThrow(/more than 100000 data points or/)
  const counts = field(10, field(1, field(8, field(2, Buffer.alloc(1_600_000)))))
  const metrics = Uint8Array.from(field(1, field(2, field(2, counts))))
  expect(() => decodeMetricsProtobuf(metrics, newProblems())).toThrow(/more than 1500000 /)
})
