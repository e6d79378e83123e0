import type { Trace } from '@assay/contract/traces.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoadedTraces } from '../../api/traces.ts'
import { isWanted, withTraces } from './live-list.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 20) + second * 1000).toISOString()

function trace(id: string, second: number, changes: Partial<Trace> = {}): Trace {
  return {
    trace_id: id,
    project_id: 'p',
    root_name: 'run',
    status: 'OK',
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
    models: [],
    updated_at: at(second),
    ...changes,
  }
}

/** The first pages of a service that holds `traces`, as many as `loadedPages`. */
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
      total: sorted.length,
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

describe('a loaded list that traces come into', () => {
  const traceOf = (id: number, second: number, version: number) =>
    trace(`t${id}`, second, { span_count: version, updated_at: at(1000 + version) })

  test('shows what the service would show down to the last row loaded, nothing twice', () => {
    const stored = fc.uniqueArray(fc.nat({ max: 40 }), { minLength: 1 })
    const told = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 30 })), { maxLength: 30 })
    fc.assert(
      fc.property(stored, told, fc.integer({ min: 1, max: 4 }), (ids, news, pages) => {
        const service = new Map(ids.map((id) => [`t${id}`, traceOf(id, id % 20, 0)]))
        let list = loaded([...service.values()], 5, pages)
        const lastLoaded = shown(list).at(-1)
        const isWhole = list.pages.at(-1)?.nextCursor === null
        for (const [version, [id, second]] of news.entries()) {
          const next = traceOf(id, second, version + 1)
          service.set(next.trace_id, next)
          list = withTraces(list, [next])
        }
        const expected = inOrder([...service.values()]).filter(
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

  test('replaces every row of the only page and keeps them all', () => {
    const traces = Array.from({ length: 5 }, (_, second) => traceOf(second, second, 0))
    const list = loaded([...traces, trace('older', -10)], 5, 1)
    const news = traces.map((one) => ({ ...one, span_count: 9, updated_at: at(5000) }))
    expect(shown(withTraces(list, news)).map(({ span_count }) => span_count)).toEqual([
      9, 9, 9, 9, 9,
    ])
  })

  test('counts what is new once and what changed not at all', () => {
    const list = loaded([trace('a', 1), trace('b', 2)], 5, 1)
    const next = withTraces(list, [trace('c', 3), trace('a', 1, { updated_at: at(9) })])
    expect(next.pages[0]?.total).toBe(3)
  })

  test('leaves a trace beyond the loaded rows to its own page', () => {
    const list = loaded([trace('a', 9), trace('b', 8), trace('c', 1)], 2, 1)
    expect(withTraces(list, [trace('d', 4)])).toBe(list)
  })

  test('is not taken back by an older telling', () => {
    const list = loaded([trace('a', 1, { span_count: 5, updated_at: at(50) })], 5, 1)
    const next = withTraces(list, [trace('a', 1, { span_count: 2, updated_at: at(40) })])
    expect(shown(next)[0]?.span_count).toBe(5)
  })

  test('lets go of a trace that the filters no longer let in', () => {
    const [page] = loaded([trace('a', 1), trace('b', 2)], 5, 1).pages
    if (page === undefined) throw new Error('a list has a first page')
    const list = { pages: [{ ...page, filters: { status: 'OK' as const } }], pageParams: [{}] }
    expect(idsOf(withTraces(list, [trace('a', 1, { status: 'ERROR' })]))).toEqual(['b'])
  })
})

describe('a filter', () => {
  const one = trace('a', 10, { root_name: 'Refund Order', environment: 'production' })
  test.each([
    ['part of the name in another case', { name: 'refund' }, true],
    ['a name that is not there', { name: 'report' }, false],
    ['its own start as the earliest', { from: at(10) }, true],
    ['its own start as the end', { to: at(10) }, false],
    ['an environment it has', { environment: 'production' }, true],
    ['a session where it has none', { session_id: 's' }, false],
  ])('with %s', (_situation, filters, expected) => {
    expect(isWanted(one, filters)).toBe(expected)
  })
})
