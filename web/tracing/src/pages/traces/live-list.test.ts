import type { Trace, TraceFilters } from '@assay/contract/traces.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoadedTraces } from '../../api/traces.ts'
import { type FilterMatch, matchFilters, withoutTraces, withTraces } from './live-list.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 20) + second * 1000).toISOString()

function trace(id: string, second: number, changes: Partial<Trace> = {}): Trace {
  return {
    trace_id: id,
    project_id: 'p',
    root_name: 'run',
    status: 'OK',
    unfinished: null,
    mode: 'live',
    environment: null,
    tags: [],
    source: 'json',
    session_id: null,
    user_id: null,
    service: null,
    sdk: null,
    started_at: at(second),
    ended_at: at(second),
    duration_ms: 0,
    span_count: 1,
    error_count: 0,
    llm_call_count: 0,
    tool_call_count: 0,
    tokens_in: 0,
    tokens_out: 0,
    cost_usd: null,
    model_call_count: 0,
    unpriced_call_count: 0,
    models: [],
    updated_at: at(second),
    ...changes,
  }
}

/** The first `loadedPages` pages of a server that stores `traces`. */
function loaded(traces: readonly Trace[], pageSize: number, loadedPages: number): LoadedTraces {
  const sorted = inOrder(traces)
  const pages = []
  for (let page = 0; page < loadedPages; page += 1) {
    const end = (page + 1) * pageSize
    const isLast = end >= sorted.length
    pages.push({
      traces: sorted.slice(page * pageSize, end),
      end: sorted.slice(page * pageSize, end).at(-1),
      nextCursor: isLast ? null : String(end),
      completeFrom: null,
      total: sorted.length,
      searchLagMs: null,
      filters: {},
    })
    if (isLast) break
  }
  return { pages, pageParams: pages.map(() => ({})) }
}

function inOrder(traces: readonly Trace[]): readonly Trace[] {
  return traces.toSorted((one, other) =>
    one.started_at === other.started_at
      ? other.trace_id < one.trace_id
        ? -1
        : 1
      : other.started_at < one.started_at
        ? -1
        : 1,
  )
}

const shown = (list: LoadedTraces) => list.pages.flatMap((page) => page.traces)
const idsOf = (list: LoadedTraces) => shown(list).map(({ trace_id }) => trace_id)

describe('a loaded list with live updates', () => {
  const traceOf = (id: number, second: number, version: number) =>
    trace(`t${id}`, second, { span_count: version, updated_at: at(1000 + version) })

  test('matches the list on the server down to the last loaded row, without duplicates', () => {
    const stored = fc.uniqueArray(fc.nat({ max: 40 }), { minLength: 1 })
    const updates = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 30 })), { maxLength: 30 })
    fc.assert(
      fc.property(stored, updates, fc.integer({ min: 1, max: 4 }), (ids, news, pages) => {
        const server = new Map(ids.map((id) => [`t${id}`, traceOf(id, id % 20, 0)]))
        let list = loaded([...server.values()], 5, pages)
        const lastLoaded = shown(list).at(-1)
        const isWhole = list.pages.at(-1)?.nextCursor === null
        for (const [version, [id, second]] of news.entries()) {
          const next = traceOf(id, second, version + 1)
          server.set(next.trace_id, next)
          list = withTraces(list, [next])
        }
        const expected = inOrder([...server.values()]).filter(
          (one) => isWhole || lastLoaded === undefined || !isBehind(one, lastLoaded),
        )
        expect(shown(list)).toEqual(expected)
      }),
    )
  })

  function isBehind(one: Trace, other: Trace): boolean {
    if (one.started_at !== other.started_at) return one.started_at < other.started_at
    return one.trace_id < other.trace_id
  }

  test('replaces every row of the only page without losing any', () => {
    const traces = Array.from({ length: 5 }, (_, second) => traceOf(second, second, 0))
    const list = loaded([...traces, trace('older', -10)], 5, 1)
    const news = traces.map((one) => ({ ...one, span_count: 9, updated_at: at(5000) }))
    expect(shown(withTraces(list, news)).map(({ span_count }) => span_count)).toEqual([
      9, 9, 9, 9, 9,
    ])
  })

  test('adds new traces to the total once and changed ones not at all', () => {
    const list = loaded([trace('a', 1), trace('b', 2)], 5, 1)
    const next = withTraces(list, [trace('c', 3), trace('a', 1, { updated_at: at(9) })])
    expect(next.pages[0]?.total).toBe(3)
  })

  test('leaves a trace beyond the loaded rows to its own page', () => {
    const list = loaded([trace('a', 9), trace('b', 8), trace('c', 1)], 2, 1)
    expect(withTraces(list, [trace('d', 4)])).toBe(list)
  })

  test('ignores an update older than the loaded row', () => {
    const list = loaded([trace('a', 1, { span_count: 5, updated_at: at(50) })], 5, 1)
    const next = withTraces(list, [trace('a', 1, { span_count: 2, updated_at: at(40) })])
    expect(shown(next)[0]?.span_count).toBe(5)
  })

  test('drops a trace that no longer matches the filters', () => {
    const [page] = loaded([trace('a', 1), trace('b', 2)], 5, 1).pages
    if (page === undefined) throw new Error('a list has a first page')
    const list = { pages: [{ ...page, filters: { status: 'OK' as const } }], pageParams: [{}] }
    expect(idsOf(withTraces(list, [trace('a', 1, { status: 'ERROR' })]))).toEqual(['b'])
  })
})

test('a list drops deleted traces and subtracts them from the total once', () => {
  const list = loaded([trace('a', 1), trace('b', 2), trace('c', 3)], 2, 2)
  const next = withoutTraces(list, new Set(['a', 'c', 'elsewhere']))
  expect(idsOf(next)).toEqual(['b'])
  expect(next.pages.map(({ total }) => total)).toEqual([1, 1])
  expect(withoutTraces(next, new Set(['a', 'c']))).toBe(next)
})

test('a sorted list keeps its order, gets no new traces and drops those that no longer match', () => {
  const [page] = loaded([trace('a', 1), trace('b', 2), trace('c', 3)], 5, 1).pages
  const filters = { order: '-cost', status: 'OK' } as const
  const list = { pages: [{ ...page!, filters }], pageParams: [{}] }
  const longer = trace('b', 9, { span_count: 4, updated_at: at(20) })
  const failed = trace('c', 3, { status: 'ERROR', updated_at: at(20) })
  const next = withTraces(list, [longer, failed, trace('new', 4)])
  expect(shown(next)).toEqual([longer, trace('a', 1)])
  expect(withTraces(list, [trace('new', 4)])).toBe(list)
})

describe('a trace that only the server can match', () => {
  function searched(traces: readonly Trace[]): LoadedTraces {
    const [page] = loaded(traces, 5, 1).pages
    if (page === undefined) throw new Error('a list has a first page')
    return { pages: [{ ...page, filters: { q: 'refund' } }], pageParams: [{}] }
  }

  test('is not inserted until the server has found it', () => {
    const list = searched([trace('a', 1)])
    expect(withTraces(list, [trace('b', 2)])).toBe(list)
    expect(idsOf(withTraces(list, [trace('b', 2)], true))).toEqual(['b', 'a'])
  })

  test('stays and is updated if it is already listed', () => {
    const news = trace('a', 1, { span_count: 7, updated_at: at(9) })
    expect(shown(withTraces(searched([trace('a', 1)]), [news]))).toEqual([news])
  })
})

describe('a filter', () => {
  const one = trace('a', 10, {
    root_name: 'Refund Order',
    environment: 'production',
    tags: ['eu', 'vip'],
    models: ['gpt-5'],
    duration_ms: 500,
    tokens_in: 60,
    tokens_out: 40,
  })
  const scored = { ...one, scores: { scored: 2, passed: 1 } }
  const passed = { ...one, scores: { scored: 2, passed: 2 } }
  const failed = { ...one, scores: { scored: 2, passed: 0 } }
  const unscored = { ...one, scores: { scored: 0, passed: 0 } }
  test.each<[string, TraceFilters, FilterMatch]>([
    ['part of the name in another case', { name: 'refund' }, 'yes'],
    ['a name that a span may have', { name: 'report' }, 'unknown'],
    ['a name that a span may have, and another status', { name: 'x', status: 'ERROR' }, 'no'],
    ['text', { q: 'refund' }, 'unknown'],
    ['a kind', { kind: 'llm' }, 'unknown'],
    ['its start as the lower bound', { from: at(10) }, 'yes'],
    ['its start as the upper bound', { to: at(10) }, 'no'],
    ['its environment', { environment: 'production' }, 'yes'],
    ['a session when it has none', { session_id: 's' }, 'no'],
    ['another mode', { mode: 'simulation' }, 'no'],
    ['another source', { source: 'otlp' }, 'no'],
    ['one of its tags', { tag: 'eu' }, 'yes'],
    ['all of its tags', { tag: ['vip', 'eu'] }, 'yes'],
    ['one of its tags and another one', { tag: ['eu', 'us'] }, 'no'],
    ['its model', { model: 'gpt-5' }, 'yes'],
    ['part of its model', { model: 'gpt' }, 'no'],
    ['its duration as the minimum', { min_duration_ms: 500 }, 'yes'],
    ['a minimum above its duration', { min_duration_ms: 501 }, 'no'],
    ['its tokens as the minimum', { min_tokens: 100 }, 'yes'],
    ['a minimum above its tokens', { min_tokens: 101 }, 'no'],
    ['a minimum of zero when the cost is unknown', { min_cost_usd: 0 }, 'no'],
    ['a maximum when the cost is unknown', { max_cost_usd: 1 }, 'no'],
    ['its duration as the maximum', { max_duration_ms: 500 }, 'yes'],
    ['a maximum below its duration', { max_duration_ms: 499.999999 }, 'no'],
    ['a maximum below its tokens', { max_tokens: 99 }, 'no'],
    ['its model among others', { model: ['gpt-4', 'gpt-5'] }, 'yes'],
    ['other environments', { environment: ['eu', 'us'] }, 'no'],
    ['one of its tags among others', { any_tag: ['us', 'vip'] }, 'yes'],
    ['other tags', { any_tag: ['us', 'ca'] }, 'no'],
    ['its model excluded', { not_model: ['gpt-5'] }, 'no'],
    ['another model excluded', { not_model: 'gpt-4' }, 'yes'],
    ['one of its tags excluded', { not_tag: ['us', 'vip'] }, 'no'],
    ['its environment excluded', { not_environment: ['production'] }, 'no'],
    ['a session excluded when it has none', { not_session_id: ['s'] }, 'yes'],
    ['part of its name excluded', { not_name: 'REFUND' }, 'no'],
    ['a name excluded that a span may have', { not_name: 'report' }, 'unknown'],
    ['an attribute', { attribute: 'k=v' }, 'unknown'],
    ['an excluded attribute', { not_attribute: 'k=v' }, 'unknown'],
    ['a kind excluded', { not_kind: ['llm'] }, 'unknown'],
  ])('with %s', (_situation, filters, expected) => {
    expect(matchFilters(one, filters)).toBe(expected)
  })

  test.each<[string, Trace, TraceFilters, FilterMatch]>([
    ['a score, on a scored trace', scored, { score: 'Polite', max_score: 0.5 }, 'unknown'],
    ['a score, on a trace without any', unscored, { score: 'Polite', max_score: 0.5 }, 'no'],
    ['a failed score', scored, { score: 'Polite', passed: 'false' }, 'unknown'],
    ['a failed score, on a trace that passed', passed, { score: 'Polite', passed: 'false' }, 'no'],
    ['a passed score, on a trace that failed', failed, { score: 'Polite', passed: 'true' }, 'no'],
    ['has_score, on a scored trace', scored, { has_score: 'true' }, 'yes'],
    ['has_score, on a trace without values', unscored, { has_score: 'true' }, 'unknown'],
    ['no score, on a scored trace', scored, { has_score: 'false' }, 'no'],
    ['no score, on a trace without values', unscored, { has_score: 'false' }, 'unknown'],
  ])('of scores: %s', (_situation, listed, filters, expected) => {
    expect(matchFilters(listed, filters)).toBe(expected)
  })
})
