import type { Trace, TraceFilters } from '@assay/contract/traces.ts'
import { instantMs } from '@assay/ui/time-format.ts'
import type { LoadedTraces, TracesPage } from '../../api/traces.ts'

/*
 * Applies live updates to the loaded trace list without refetching it.
 */

/**
 * The list with `traces` merged in: replaced, inserted in order, or removed when they no longer match the filters.
 * Traces beyond the loaded rows are left to their own page, and new ones that only the server can match are
 * skipped. A sorted list keeps its order and gets no new traces. Returns the same object when nothing changed.
 *
 * @param areFound the server has just returned the traces for these filters
 */
export function withTraces(
  list: LoadedTraces,
  traces: readonly Trace[],
  areFound = false,
): LoadedTraces {
  const first = list.pages[0]
  if (first === undefined) return list
  if (first.filters.order !== undefined) return withChanges(list, traces)
  const changed = new Map(traces.map((trace) => [trace.trace_id, trace]))
  const pages: OpenPage[] = list.pages.map((page) => ({ ...page }))
  const loaded = new Set<string>()
  let isTouched = false

  for (const page of pages) {
    page.traces = page.traces.filter(({ trace_id, updated_at }) => {
      const next = changed.get(trace_id)
      if (next === undefined) return true
      loaded.add(trace_id)
      if (isOlder(next, updated_at)) changed.delete(trace_id)
      else isTouched = true
      return isOlder(next, updated_at)
    })
  }

  let added = 0
  for (const trace of changed.values()) {
    const match = areFound ? 'yes' : matchFilters(trace, first.filters)
    const isIn = match === 'yes' || (match === 'unknown' && loaded.has(trace.trace_id))
    if (!isIn || !insert(pages, trace)) continue
    isTouched = true
    if (!loaded.has(trace.trace_id)) added += 1
  }
  return isTouched ? { ...list, pages: pages.map((page) => counted(page, added)) } : list
}

/** Replaces loaded traces where they are, and drops those that no longer match. */
function withChanges(list: LoadedTraces, traces: readonly Trace[]): LoadedTraces {
  const changed = new Map(traces.map((trace) => [trace.trace_id, trace]))
  const pages = list.pages.map((page) => ({
    ...page,
    traces: page.traces.flatMap((trace) => {
      const next = changed.get(trace.trace_id)
      if (next === undefined || isOlder(next, trace.updated_at)) return trace
      return matchFilters(next, page.filters) === 'no' ? [] : next
    }),
  }))
  const isTouched = pages.some(({ traces: loaded }) =>
    loaded.some((one) => changed.get(one.trace_id) === one),
  )
  const isShorter = pages.some((page, at) => page.traces.length < list.pages[at]!.traces.length)
  return isTouched || isShorter ? { ...list, pages } : list
}

/** The list without deleted traces. */
export function withoutTraces(list: LoadedTraces, traceIds: ReadonlySet<string>): LoadedTraces {
  const remainingIn = ({ traces }: TracesPage) =>
    traces.filter((one) => !traceIds.has(one.trace_id))
  const gone = list.pages.flatMap((page) => page.traces.length - remainingIn(page).length)
  const goneCount = gone.reduce((sum, count) => sum + count, 0)
  const pages = list.pages.map((page) =>
    counted({ ...page, traces: remainingIn(page) }, -goneCount),
  )
  return goneCount === 0 ? list : { ...list, pages }
}

interface OpenPage extends Omit<TracesPage, 'traces'> {
  traces: readonly Trace[]
}

/** Inserts the trace in order; false if its position is beyond the loaded rows. */
function insert(pages: readonly OpenPage[], trace: Trace): boolean {
  const page =
    pages.find(({ end }) => end !== undefined && !comesFirst(end, trace)) ??
    (pages.at(-1)?.nextCursor === null ? pages.at(-1) : undefined)
  if (page === undefined) return false
  const place = page.traces.findIndex((other) => comesFirst(trace, other))
  page.traces = page.traces.toSpliced(place === -1 ? page.traces.length : place, 0, trace)
  return true
}

function comesFirst(one: Trace, other: Trace): boolean {
  const oneMs = instantMs(one.started_at)
  const otherMs = instantMs(other.started_at)
  return oneMs === otherMs ? one.trace_id > other.trace_id : oneMs > otherMs
}

function counted(page: OpenPage, added: number): TracesPage {
  return page.total === null ? page : { ...page, total: page.total + added }
}

/** Updates with equal timestamps apply in order of arrival, so only strictly older ones are dropped. */
function isOlder(next: Trace, knownUpdatedAt: string): boolean {
  return instantMs(next.updated_at) < instantMs(knownUpdatedAt)
}

/** `unknown`: the match depends on the spans or on single scores, which only the server has. */
export type FilterMatch = 'yes' | 'no' | 'unknown'

/** Applies the server's filter rules to a trace. */
export function matchFilters(trace: Trace, filters: TraceFilters): FilterMatch {
  if (!passes(trace, filters) || isExcluded(trace, filters) || lacksScores(trace, filters)) {
    return 'no'
  }
  const { name, not_name, q, kind, not_kind, attribute, not_attribute, score } = filters
  const hasName = name === undefined || hasPart(trace, name)
  const ofSpans = [not_name, q, kind, not_kind, attribute, not_attribute, score]
  const isKnown = ofSpans.every((filter) => filter === undefined)
  return hasName && isKnown && !needsScores(trace, filters) ? 'yes' : 'unknown'
}

function hasPart({ root_name }: Trace, part: string): boolean {
  return root_name.toLowerCase().includes(part.toLowerCase())
}

/** Whether no score can match, whatever their names and values. */
function lacksScores({ scores }: Trace, { score, has_score, passed }: TraceFilters): boolean {
  if (scores === undefined) return false
  const { scored, passed: passedCount } = scores
  const counts = { true: passedCount, false: scored - passedCount }
  return (
    (has_score === 'false' && scored > 0) ||
    (score !== undefined && (passed === undefined ? scored : counts[passed]) === 0)
  )
}

/** Scores without a value are not counted, and also match `has_score`. */
function needsScores({ scores }: Trace, { has_score }: TraceFilters): boolean {
  return has_score !== undefined && !(has_score === 'true' && (scores?.scored ?? 0) > 0)
}

function passes(trace: Trace, filters: TraceFilters): boolean {
  const startedMs = instantMs(trace.started_at)
  return (
    matches(filters.status, trace.status) &&
    matches(filters.mode, trace.mode) &&
    matches(filters.environment, trace.environment) &&
    matches(filters.source, trace.source) &&
    matches(filters.service, trace.service) &&
    matches(filters.session_id, trace.session_id) &&
    matches(filters.user_id, trace.user_id) &&
    matches(filters.model, ...trace.models) &&
    matches(filters.any_tag, ...trace.tags) &&
    listed(filters.tag).every((one) => trace.tags.includes(one)) &&
    isWithin(trace.cost_usd, filters.min_cost_usd, filters.max_cost_usd) &&
    isWithin(trace.duration_ms, filters.min_duration_ms, filters.max_duration_ms) &&
    isWithin(trace.tokens_in + trace.tokens_out, filters.min_tokens, filters.max_tokens) &&
    (filters.from === undefined || startedMs >= instantMs(filters.from)) &&
    (filters.to === undefined || startedMs < instantMs(filters.to))
  )
}

function isExcluded(trace: Trace, filters: TraceFilters): boolean {
  return (
    has(filters.not_environment, trace.environment) ||
    has(filters.not_service, trace.service) ||
    has(filters.not_session_id, trace.session_id) ||
    has(filters.not_user_id, trace.user_id) ||
    has(filters.not_model, ...trace.models) ||
    has(filters.not_tag, ...trace.tags) ||
    (filters.not_name !== undefined && hasPart(trace, filters.not_name))
  )
}

type Values = string | readonly string[] | undefined

/** Whether one of the values is found, or there is no filter. */
function matches(values: Values, ...found: readonly (string | null)[]): boolean {
  return values === undefined || has(values, ...found)
}

function has(values: Values, ...found: readonly (string | null)[]): boolean {
  return listed(values).some((one) => found.includes(one))
}

function listed(values: Values = []): readonly string[] {
  return typeof values === 'string' ? [values] : values
}

/** An unknown size is within no bounds, not even zero. */
function isWithin(size: number | null, min?: number, max?: number): boolean {
  if (min === undefined && max === undefined) return true
  return size !== null && size >= (min ?? 0) && size <= (max ?? Number.POSITIVE_INFINITY)
}
