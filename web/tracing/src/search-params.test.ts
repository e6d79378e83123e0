import { type AuditAction, auditActions } from '@assay/contract/audit.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { severityNames } from './api/trace-logs.ts'
import { type AuditSearch, parseAuditSearch } from './audit/audit-search.ts'
import { ranges } from './filter/time-range.ts'
import { parseSignInSearch } from './pages/sign-in/sign-in-search.ts'
import { detailTabs, parseViewSearch, traceViews } from './pages/trace/view-search.ts'
import { filtersOf, parseTraceSearch, type TraceSearch } from './pages/traces/trace-search.ts'
import { parseSearch, stringifySearch } from './search-params.ts'

const text = fc.string({ minLength: 1, unit: 'grapheme' })
const instant = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const amount = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs)
const labels = {
  status: fc.constantFrom('OK' as const, 'ERROR' as const),
  mode: fc.constantFrom('live' as const, 'simulation' as const),
  source: fc.constantFrom('json' as const, 'otlp' as const),
  tag: fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
  model: text,
  kind: text,
  q: text,
  min_cost_usd: amount,
  min_duration_ms: amount,
  min_tokens: amount,
  columns: text,
  name: text,
  environment: text,
  service: text,
  session_id: text,
  user_id: text,
  live: fc.constant('off' as const),
}
const range = fc.constantFrom(...(Object.keys(ranges) as (keyof typeof ranges)[]))
const traceSearch: fc.Arbitrary<TraceSearch> = fc.oneof(
  fc.record({ ...labels, range }, { requiredKeys: [] }),
  fc.record({ ...labels, from: instant, to: instant }, { requiredKeys: [] }),
)

describe('the URL', () => {
  test('restores every filter of the trace list', () => {
    fc.assert(
      fc.property(traceSearch, (search) => {
        expect(parseTraceSearch(parseSearch(stringifySearch({ ...search })))).toEqual(search)
      }),
    )
  })

  test('restores the state of the trace page, including numeric IDs', () => {
    const spanId = fc.oneof(text, fc.stringMatching(/^[0-9]{16}$/), fc.constant('null'))
    const search = fc.record(
      {
        span: spanId,
        tab: fc.constantFrom(...detailTabs),
        view: fc.constantFrom(...traceViews),
        node: text,
        time: fc.constant('12.5-300'),
        path: fc.constant('1' as const),
        severity: fc.constantFrom(...severityNames),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(search, (wanted) => {
        expect(parseViewSearch(parseSearch(stringifySearch({ ...wanted })))).toEqual(wanted)
      }),
    )
  })

  test('restores every filter of the audit log', () => {
    const filters = {
      action: fc.constantFrom(...(Object.keys(auditActions) as AuditAction[])),
      actor: text,
    }
    const search: fc.Arbitrary<AuditSearch> = fc.oneof(
      fc.record({ ...filters, range }, { requiredKeys: [] }),
      fc.record({ ...filters, from: instant, to: instant }, { requiredKeys: [] }),
    )
    fc.assert(
      fc.property(search, (wanted) => {
        expect(parseAuditSearch(parseSearch(stringifySearch({ ...wanted })))).toEqual(wanted)
      }),
    )
  })

  test.each([
    ['an unknown problem', { problem: 'nonsense' }],
    ['an inherited property as a problem', { problem: 'constructor' }],
    ['another site to open afterwards', { next: '//evil.example' }],
  ])('with %s opens the sign-in page without it', (_situation, search) => {
    expect(parseSignInSearch(search)).toEqual({})
  })

  test.each([
    ['an unknown status', { status: 'BROKEN' }],
    ['an unknown range', { range: '2y' }],
    ['an inherited property', { range: 'constructor' }],
    ['an invalid date', { from: 'yesterday' }],
    ['an empty text', { name: '' }],
    ['an unknown parameter', { utm_source: 'x' }],
    ['an unknown value of live', { live: 'on' }],
    ['an amount that is not a number', { min_tokens: 'many' }],
    ['a negative amount', { min_cost_usd: '-1' }],
    ['an infinite amount', { min_cost_usd: 'Infinity' }],
    ['an empty tag', { tag: '' }],
    ['two names', { name: ['a', 'b'] }],
  ])('with %s opens the list without it', (_situation, search) => {
    expect(parseTraceSearch(search)).toEqual({})
  })

  test('with a duplicate tag keeps it once', () => {
    expect(parseTraceSearch(parseSearch('?tag=eu&tag=vip&tag=eu'))).toEqual({ tag: ['eu', 'vip'] })
  })

  test('with a relative and an absolute range keeps the absolute one', () => {
    const from = '2026-11-20T10:00:00.000Z'
    expect(parseTraceSearch({ range: '1h', from })).toEqual({ from })
  })
})

describe('the requested filters', () => {
  test('resolve a relative range and omit display options', () => {
    const nowMs = Date.parse('2026-11-20T10:00:00Z')
    const search = { range: '15m', status: 'ERROR', live: 'off', columns: 'name' } as const
    expect(filtersOf(search, nowMs)).toEqual({
      status: 'ERROR',
      from: '2026-11-20T09:45:00.000Z',
    })
  })
})
