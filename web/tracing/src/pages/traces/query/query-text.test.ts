import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Range, ranges } from '../../../filter/time-range.ts'
import { without } from '../../../parts/filter-terms.ts'
import type { TraceListFilters } from '../../../parts/trace-search.ts'
import { addTerms, findMismatches, printQuery, readQuery } from './query-text.ts'

const meaning = (text: string) => addTerms({}, readQuery(text).terms)

describe('a query', () => {
  test.each<[string, TraceListFilters]>([
    ['', {}],
    ['   ', {}],
    ['refund policy', { q: 'refund policy' }],
    ['refun*', { q: 'refun*' }],
    ['status:error', { status: 'ERROR' }],
    ['STATUS:Ok', { status: 'OK' }],
    ['mode:simulation source:otlp', { mode: 'simulation', source: 'otlp' }],
    ['model:gpt-4o', { model: 'gpt-4o' }],
    ['tag:eu tag:vip tag:eu', { tag: ['eu', 'vip'] }],
    ['env:production', { environment: 'production' }],
    ['environment:production', { environment: 'production' }],
    ['session:abc user:u-1', { session_id: 'abc', user_id: 'u-1' }],
    ['session_id:abc', { session_id: 'abc' }],
    ['name:"refund order"', { name: 'refund order' }],
    [String.raw`name:"say \"hi\" \\ there"`, { name: String.raw`say "hi" \ there` }],
    ['min_cost:0.01', { min_cost_usd: 0.01 }],
    ['cost>=$.5', { min_cost_usd: 0.5 }],
    ['cost>0.1', { min_cost_usd: 0.10000000000000002 }],
    ['cost > 0', { min_cost_usd: Number.MIN_VALUE }],
    ['cost<0.1', { max_cost_usd: 0.09999999999999999 }],
    ['cost:<=0.1', { max_cost_usd: 0.1 }],
    ['cost:0.01..0.1', { min_cost_usd: 0.01, max_cost_usd: 0.1 }],
    ['cost>=0.01 cost<=0.1', { min_cost_usd: 0.01, max_cost_usd: 0.1 }],
    ['duration>2s', { min_duration_ms: 2000.000001 }],
    ['duration<1m', { max_duration_ms: 59_999.999999 }],
    ['tokens>2k', { min_tokens: 2001 }],
    ['tokens=100..2k', { min_tokens: 100, max_tokens: 2000 }],
    ['min_duration:250', { min_duration_ms: 250 }],
    ['min_duration:2s', { min_duration_ms: 2000 }],
    ['max_duration:1.5m', { max_duration_ms: 90_000 }],
    ['min_tokens:2k', { min_tokens: 2000 }],
    ['last:24h', { range: '24h' }],
    ['from:2026-11-20T10:00:00Z', { from: '2026-11-20T10:00:00.000Z' }],
    ['"status:error"', { q: 'status:error' }],
    ['"exact words" more', { q: 'exact words more' }],
    ['text:"a  b"', { q: 'a  b' }],
    ['https://example.org/a', { q: 'https://example.org/a' }],
    ['at 12:30', { q: 'at 12:30' }],
    ['name:a:b', { name: 'a:b' }],
    ['name:"never closed', { name: 'never closed' }],
    ['refund status:error policy', { status: 'ERROR', q: 'refund policy' }],
    ['model:a,b', { model: ['a', 'b'] }],
    ['model:a,"b c",a,', { model: ['a', 'b c'] }],
    ['model:a OR model:b OR model:c', { model: ['a', 'b', 'c'] }],
    ['tag:a,b tag:c', { any_tag: ['a', 'b'], tag: ['c'] }],
    ['-model:a -model:b', { not_model: ['a', 'b'] }],
    ['-model:a,b NOT tag:c', { not_model: ['a', 'b'], not_tag: ['c'] }],
    [
      'env!=prod !user:u -session:s',
      {
        not_environment: ['prod'],
        not_user_id: ['u'],
        not_session_id: ['s'],
      },
    ],
    ['-name:"health check"', { not_name: 'health check' }],
    ['attr.http.route:/refund', { attribute: ['http.route=/refund'] }],
    ['attr.url:https://a/b?c=d', { attribute: ['url=https://a/b?c=d'] }],
    ['-attr.a=1 attr.b!=2', { not_attribute: ['a=1', 'b=2'] }],
    ['attr.a=1 attr."my key":"x, y"', { attribute: ['a=1', 'my key=x, y'] }],
    ['attr:http.route=/refund', { attribute: ['http.route=/refund'] }],
    ['-status:ok', { status: 'ERROR' }],
    ['!status:ok', { status: 'ERROR' }],
    ['NOT status:ok', { status: 'ERROR' }],
    ['status!=ok', { status: 'ERROR' }],
    ['status=error', { status: 'ERROR' }],
    ['-scored:true', { has_score: 'false' }],
    ['status:error AND refund', { status: 'ERROR', q: 'refund' }],
    ['research and "AND" or not', { q: 'research and AND or not' }],
    ['a - b 5 > 3 x = y', { q: 'a - b 5 > 3 x = y' }],
    ['name:"a,b"', { name: 'a,b' }],
    ['天气 tag:東京', { tag: ['東京'], q: '天气' }],
  ])('%s', (text, expected) => {
    expect(readQuery(text).problems).toEqual([])
    expect(meaning(text)).toEqual(expected)
  })

  test.each([
    ['color:red', /Unknown filter “color”/],
    ['constructor:x', /Unknown filter “constructor”/],
    ['status:', /“status:” needs a value: ok or error/],
    ['name:""', /“name:” needs a value/],
    ['status:broken', /“broken” is not a valid status\. Use ok or error/],
    ['last:2y', /“2y” is not a valid time range\. Use 15m, 1h, 24h, 7d or 30d/],
    ['min_cost:much', /“much” is not a valid minimum cost/],
    ['min_cost:-1', /“-1” is not a valid minimum cost/],
    ['min_cost:1e999', /“1e999” is not a valid minimum cost/],
    ['min_duration:2weeks', /“2weeks” is not a valid minimum duration.*500ms/],
    ['from:yesterday', /“yesterday” is not a valid date or time for “from”/],
    [`tag:${'x'.repeat(129)}`, /at most 128 characters/],
    ['last:1h from:2026-11-20T10:00:00Z', /“last:” and “from:” exclude each other/],
    [
      'model:old model:"new one"',
      /“model:” can be there only once\. For one of several values, use model:old,"new one"/,
    ],
    ['name:a name:b', /^“name:” can be there only once\.$/],
    ['model:a OR status:error', /“OR” needs values of the same filter/],
    ['refund OR parcel', /“OR” needs values of the same filter/],
    ['NOT refund', /“NOT” needs a filter/],
    ['name:a AND', /“AND” needs a filter or word on both sides/],
    ['-refund', /“-refund”: words cannot be excluded/],
    ['(name:a', /“\(name:a” has a parenthesis/],
    ['cost>', /“cost>” needs a value: in USD/],
    ['cost:0.5', /“cost” needs a comparison: cost>0.5, cost<0.5/],
    ['duration:5s', /or a range such as duration:500ms..2s/],
    ['cost:1..0.5', /The range “1..0.5” ends before it starts/],
    ['cost<0', /“cost<0” matches nothing/],
    ['-cost>1', /“cost” cannot be negated/],
    ['attr.k>5', /“>” cannot be used with attributes/],
    ['attr.k:', /“attr.k:” needs a value/],
    ['attr.k:a,b', /“attr.k” takes one value.*attr.k:"a,b"/],
    ['attr:refund', /“refund” needs a key and a value/],
    ['-last:1h', /“last:” cannot be negated/],
    ['-text:a', /“text:” cannot be negated/],
    ['-name:a,b', /“name” takes one value/],
    [`model:${Array.from({ length: 21 }, (_, at) => at).join()}`, /at most 20 values/],
    ['latency>5', /Unknown filter “latency”/],
    ['model > 5', /“>” cannot be used with “model”/],
    ['-mode:live', /“mode:” cannot be negated/],
    ['name:a,b', /“name” takes one value.*name:"a,b"/],
    ['status:ok,error', /“ok,error” is not a valid status/],
    ['x'.repeat(513), /at most 512 characters/],
  ])('%s is rejected by name while the rest of the text still applies', (text, problem) => {
    const { terms, problems } = readQuery(`service:shop ${text}`)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(problem)
    expect(terms).toContainEqual({ name: 'service', value: 'shop' })
  })

  test('extends the active filters: text and tags are added, other filters are replaced', () => {
    const before = { status: 'OK', q: 'refund', tag: ['eu'] } as const
    const { terms } = readQuery('policy tag:vip status:error')
    expect(addTerms(before, terms)).toEqual({
      status: 'ERROR',
      q: 'refund policy',
      tag: ['eu', 'vip'],
    })
  })
})

test.each<[TraceListFilters, readonly (string | RegExp)[]]>([
  [{ min_score: 0.5 }, [/“Minimum score” needs the filter “Score”/]],
  [{ passed: 'true', status: 'OK' }, [/“Verdict” needs the filter “Score”/]],
  [{ max_score: 0.5, score: 'helpfulness' }, []],
  [
    { from: '2026-11-22T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z' },
    ['The time range ends before it starts.'],
  ],
  [{ from: '2026-11-20T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' }, []],
])('filters that the service refuses together are reported: %o', (search, expected) => {
  expect(findMismatches(search)).toEqual(expected.map((one) => expect.stringMatching(one)))
})

test('a filter by score takes its limits along when it is removed', () => {
  const search: TraceListFilters = { score: 'tone', min_score: 0.5, passed: 'true', status: 'OK' }
  expect(without(search, { name: 'score', value: 'tone' })).toEqual({ status: 'OK' })
})

describe('a printed query', () => {
  test.each<[TraceListFilters, string]>([
    [{ min_tokens: 100, max_tokens: 200 }, 'tokens>=100 tokens<=200'],
    [{ min_tokens: 2001, max_tokens: 4999 }, 'tokens>2000 tokens<5000'],
    [{ min_duration_ms: 2000.000001 }, 'duration>2000ms'],
    [{ min_cost_usd: 0.1 }, 'cost>=0.1'],
  ])('compares with the rounder limit: %o', (search, text) => {
    expect(printQuery(search)).toBe(text)
  })

  const text = fc.oneof(
    fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
    fc
      .array(
        fc.constantFrom(
          'a',
          ' ',
          '  ',
          '"',
          '\\',
          ':',
          'status:',
          '\n',
          'b*',
          '//',
          ',',
          '-',
          '(',
          '>',
          '=',
          'OR',
          'AND',
          'NOT',
        ),
        {
          minLength: 1,
          maxLength: 8,
        },
      )
      .map((parts) => parts.join('')),
  )
  const instant = fc
    .date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString())
  const amount = fc.double({ min: 0, max: 1e15, noNaN: true })
  const filters = {
    status: fc.constantFrom('OK' as const, 'ERROR' as const),
    mode: fc.constantFrom('live' as const, 'simulation' as const),
    source: fc.constantFrom('json' as const, 'otlp' as const),
    name: text,
    environment: text,
    service: text,
    session_id: text,
    user_id: text,
    model: fc.oneof(text, fc.uniqueArray(text, { minLength: 2, maxLength: 4 })),
    kind: text,
    q: text,
    tag: fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
    any_tag: fc.oneof(text, fc.uniqueArray(text, { minLength: 2, maxLength: 4 })),
    not_tag: fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
    not_kind: fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
    not_name: text,
    attribute: fc.uniqueArray(
      fc
        .tuple(
          text.filter((key) => !key.includes('=')),
          text,
        )
        .map((pair) => pair.join('=')),
      { minLength: 1, maxLength: 3 },
    ),
    min_cost_usd: amount,
    min_duration_ms: amount,
    min_tokens: amount,
    max_cost_usd: amount,
    max_duration_ms: amount,
  }
  const range = fc.constantFrom(...(Object.keys(ranges) as Range[]))

  test('parses back to the same filters for any values', () => {
    const searches: fc.Arbitrary<TraceListFilters> = fc.oneof(
      fc.record({ ...filters, range }, { requiredKeys: [] }),
      fc.record({ ...filters, from: instant, to: instant }, { requiredKeys: [] }),
    )
    fc.assert(
      fc.property(searches, (search) => {
        const { terms, problems } = readQuery(printQuery(search))
        expect(problems).toEqual([])
        // JSON drops undefined members and the sign of zero, which make no difference here.
        expect(JSON.parse(JSON.stringify(addTerms({}, terms)))).toEqual(
          JSON.parse(JSON.stringify(search)),
        )
      }),
    )
  })
})
