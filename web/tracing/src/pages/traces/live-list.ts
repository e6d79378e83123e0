import type { Trace, TraceFilters } from '@assay/contract/traces.ts'
import { instantMs } from '@assay/ui/time-format.ts'
import type { LoadedTraces, TracesPage } from '../../api/traces.ts'

/*
 * Applies live updates to the loaded trace list without refetching it.
 */

/**
 * The list with `traces` merged in: replaced, inserted in order, or removed when they no longer match the filters.
 * Traces beyond the loaded rows are left to their own page, and new ones that only the server can match are
 * skipped. `areFound`: the server has just returned them for these filters. Returns the same object when nothing
 * changed.
 */
export function withTraces(
  list: LoadedTraces,
  traces: readonly Trace[],
  areFound = false,
): LoadedTraces {
  const first = list.pages[0]
  if (first === undefined) return list
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
  if (!passes(trace, filters) || lacksScores(trace, filters)) return 'no'
  const { name, q, kind, score } = filters
  const hasName = name === undefined || trace.root_name.toLowerCase().includes(name.toLowerCase())
  const isKnown = q === undefined && kind === undefined && score === undefined
  return hasName && isKnown && !needsScores(trace, filters) ? 'yes' : 'unknown'
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
  const { tag = [] } = filters
  return (
    matches(filters.status, trace.status) &&
    matches(filters.mode, trace.mode) &&
    matches(filters.environment, trace.environment) &&
    matches(filters.source, trace.source) &&
    matches(filters.service, trace.service) &&
    matches(filters.session_id, trace.session_id) &&
    matches(filters.user_id, trace.user_id) &&
    (filters.model === undefined || trace.models.includes(filters.model)) &&
    (typeof tag === 'string' ? [tag] : tag).every((one) => trace.tags.includes(one)) &&
    reaches(filters.min_cost_usd, trace.cost_usd) &&
    reaches(filters.min_duration_ms, trace.duration_ms) &&
    reaches(filters.min_tokens, trace.tokens_in + trace.tokens_out) &&
    (filters.from === undefined || startedMs >= instantMs(filters.from)) &&
    (filters.to === undefined || startedMs < instantMs(filters.to))
  )
}

function matches(match: string | undefined, found: string | null): boolean {
  return match === undefined || match === found
}

/** An unknown value matches no minimum, not even zero. */
function reaches(atLeast: number | undefined, found: number | null): boolean {
  return atLeast === undefined || (found !== null && found >= atLeast)
}
