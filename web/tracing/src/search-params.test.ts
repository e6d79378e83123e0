import type { PageInfo } from '@assay/account/routes/define-page.ts'
import type { Field } from '@assay/account/routes/search-fields.ts'
import { parseSearch, stringifySearch } from '@assay/account/routes/search-params.ts'
import { invalidParams } from '@assay/account/routes/search-schema.ts'
import { auditQuery } from '@assay/contract/audit-log.ts'
import { requestTimestamp } from '@assay/contract/fields.ts'
import { limits } from '@assay/contract/limits.ts'
import { logFilters } from '@assay/contract/logs.ts'
import { statsFilters } from '@assay/contract/stats.ts'
import { traceFilters } from '@assay/contract/traces.ts'
import { QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditSearch } from './audit/audit-search.ts'
import { pickTime } from './filter/time-range.ts'
import { dashboardSearch } from './pages/dashboard/dashboard-search.ts'
import { logSearch } from './pages/logs/log-search.ts'
import { metricSearch } from './pages/metrics/metric-search.ts'
import { signInSearch } from './pages/sign-in/sign-in-search.ts'
import { toTraceFilters, traceSearch } from './parts/trace-search.ts'
import { createAppRouter } from './router.ts'

const { routesById } = createAppRouter(new QueryClient())
const declaredPages = Object.values(routesById).flatMap((route) => {
  const page: PageInfo | undefined = route.options.staticData?.page
  return page?.search === undefined ? [] : [[route.fullPath, page.search] as const]
})

const text = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme' }),
  // Numeric IDs stay text.
  fc.stringMatching(/^[0-9]{16}$/),
  fc.constant('null'),
)
const instant = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

const share = fc.double({ min: 0, max: 1, noNaN: true })
const weight = fc.nat(100).map(String)

/** Values of the parameters whose text has a format, or whose number has a limit. */
const formatted: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  from: instant,
  to: instant,
  min_score: share,
  max_score: share,
  position: fc.integer({ min: 1 }).map(String),
  attribute: text.map((value) => `key=${value}`),
  not_attribute: text.map((value) => `key=${value}`),
  ...{ quality: weight, cost: weight, latency: weight },
  next: text.map((rest) => `/p/${encodeURIComponent(rest)}`),
  where: fc
    .dictionary(
      text.filter((name) => name !== '__proto__'),
      text,
    )
    .map((where) => JSON.stringify(where)),
  group: fc.oneof(
    fc.constant('service'),
    text.map((name) => `attribute.${name}`),
  ),
  charts: fc.constantFrom('', 'cost.time.bar', 'runs.model.bar,errors.time.line'),
}

function valuesOf(name: string, { options, type }: Field<unknown>): fc.Arbitrary<unknown> {
  if (options !== undefined) return fc.constantFrom(...options)
  if (formatted[name] !== undefined) return formatted[name]
  if (type === 'list') return fc.oneof(text, fc.uniqueArray(text, { minLength: 1, maxLength: 4 }))
  if (type === 'number') return fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })
  return text
}

const junk = fc.constantFrom('BOGUS', 'constructor', '{', '//evil.example', '-1', ['a', 'b'], '')

describe.each(declaredPages)('the URL of %s', (_path, schema) => {
  const values = Object.entries(schema.fields).map(
    ([name, field]) => [name, valuesOf(name, field)] as const,
  )

  test('restores all parameters, whatever else it contains', () => {
    const withJunk = values.map(([name, value]) => [name, fc.oneof(value, junk)])
    const given = fc.record(
      { ...Object.fromEntries(withJunk), utm_source: text },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(given, (raw) => {
        const search = schema.parse(parseSearch(stringifySearch(raw)))
        expect(schema.parse(parseSearch(stringifySearch({ ...search })))).toEqual(search)
        expect(Object.keys(schema.fields)).toEqual(expect.arrayContaining(Object.keys(search)))
      }),
    )
  })

  test.each(values)('accepts each value of %s', (name, value) => {
    fc.assert(
      fc.property(value, (one) => {
        expect(invalidParams(schema, parseSearch(stringifySearch({ [name]: one })))).toEqual([])
      }),
    )
  })
})

/** Around each limit, and of each form. */
const lengths = [...new Set(Object.values(limits).map(({ value }) => value))].filter(
  (length) => length > 1 && length < 10_000,
)
const tried: readonly (string | readonly string[])[] = [
  ...lengths.flatMap((length) => ['x'.repeat(length), 'x'.repeat(length + 1)]),
  ...lengths.flatMap((length) => [`k=${'x'.repeat(length - 1)}`, `k=${'x'.repeat(length - 2)}`]),
  ...lengths
    .filter((count) => count < 200)
    .flatMap((count) =>
      [count, count + 1].map((n) => Array.from({ length: n }, (_, at) => `k=${at}`)),
    ),
  ...['OK', 'ERROR', 'ok', 'json', 'otlp', 'true', 'false', 'fatal', 'debug', 'prompt', 'a=', '=a'],
  ...['0', '1', '1.5', '-1', '1e3', '0x10', ' 2 ', ' ', 'Infinity', 'NaN', 'one', '01'],
  ...['a\nb', 'a\n=b', '\n', '%', 'project.created', 'key.created', 'sign_in'],
]

describe.each([
  ['traces', traceSearch, traceFilters],
  ['log records', logSearch, logFilters.omit({ span_id: true })],
  ['the dashboard', dashboardSearch, statsFilters.omit({ service: true })],
  ['the audit log', auditSearch, auditQuery.omit({ limit: true, cursor: true })],
])('the filters of %s', (_what, schema, ofApi) => {
  // The mode has another default, a chart one tag, and a time any format that browsers parse.
  const own = ['mode', 'from', 'to', ...(schema === dashboardSearch ? ['tag'] : [])]
  const names = Object.entries(ofApi.shape).filter(([name]) => !own.includes(name))

  test.each(names)('accept of %s what the API accepts', (name, field) => {
    const differing = tried.filter((value) => {
      const isAccepted = !invalidParams(schema, { [name]: value }).includes(name)
      return isAccepted !== field.safeParse(value).success
    })
    expect(differing).toEqual([])
  })
})

test.each([
  '1970-01-01',
  '2261-12-31T23:59:59.999Z',
  '2262-01-01',
  '+010000-01-01',
  '-000001-01-01',
])('the time %s is valid if the API accepts it', (from) => {
  const time = new Date(from).toISOString()
  const accepted = requestTimestamp.safeParse(time).success ? { from: time } : {}
  expect(traceSearch.parse({ from })).toEqual(accepted)
})

describe('an invalid parameter', () => {
  test.each([
    ['an unknown status', 'status=BROKEN'],
    ['an unknown range', 'range=2y'],
    ['an inherited property', 'range=constructor'],
    ['an invalid date', 'from=yesterday'],
    ['a date outside of the range of the API', 'from=1969-12-31'],
    ['an unknown value of live', 'live=on'],
    ['an amount that is not a number', 'min_tokens=many'],
    ['a negative amount', 'min_cost_usd=-1'],
    ['an infinite amount', 'min_cost_usd=Infinity'],
    ['two names', 'name=a&name=b'],
    ['a name longer than the API accepts', `name=${'a'.repeat(1000)}`],
  ])('is dropped and reported: %s', (_situation, query) => {
    const search = parseSearch(query)
    expect(traceSearch.parse(search)).toEqual({})
    expect(invalidParams(traceSearch, search)).toEqual(Object.keys(search))
  })

  test.each([
    ['an empty text', 'name='],
    ['an empty tag', 'tag='],
    ['an unknown parameter', 'utm_source=x'],
  ])('is not reported if it has no effect: %s', (_situation, query) => {
    expect(traceSearch.parse(parseSearch(query))).toEqual({})
    expect(invalidParams(traceSearch, parseSearch(query))).toEqual([])
  })

  test('cannot lead from the sign-in page to another site', () => {
    expect(signInSearch.parse({ next: '//evil.example' })).toEqual({})
  })
})

describe('a parsed parameter', () => {
  test('has a duplicate tag once', () => {
    expect(traceSearch.parse(parseSearch('?tag=eu&tag=vip&tag=eu'))).toEqual({ tag: ['eu', 'vip'] })
  })

  test('is empty only where that is a value', () => {
    expect(metricSearch.parse(parseSearch('?metric=&unit='))).toEqual({ unit: '' })
  })

  test('is an absolute range if there is a relative one too', () => {
    const from = '2026-11-20T10:00:00.000Z'
    expect(traceSearch.parse({ range: '1h', from })).toEqual({ from })
  })
})

test.each([
  ['the default', {}, { range: '24h' }],
  ['a chosen one', { range: '7d' }, { range: '7d' }],
  ['a start only', { from: '2026-11-20T10:00:00.000Z' }, { from: '2026-11-20T10:00:00.000Z' }],
] as const)('a time range with a default: %s', (_what, search, expected) => {
  expect(pickTime(search, '24h')).toEqual(expected)
})

describe('the requested filters', () => {
  test('resolve a relative range and omit display options', () => {
    const nowMs = Date.parse('2026-11-20T10:00:00Z')
    const search = { range: '15m', status: 'ERROR', live: 'off', columns: 'name' } as const
    expect(toTraceFilters(search, nowMs)).toEqual({
      mode: 'live',
      status: 'ERROR',
      from: '2026-11-20T09:45:00.000Z',
    })
  })

  test.each([
    [undefined, { mode: 'live' }],
    ['live', { mode: 'live' }],
    ['simulation', { mode: 'simulation' }],
    ['all', {}],
  ] as const)('have live traces unless another mode is chosen: %s', (mode, expected) => {
    expect(toTraceFilters(mode === undefined ? {} : { mode }, 0)).toEqual(expected)
    expect(traceSearch.parse(mode === undefined ? {} : { mode })).toEqual(
      mode === undefined ? {} : { mode },
    )
  })
})
