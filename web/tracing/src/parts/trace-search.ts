import {
  type Field,
  mapped,
  number,
  oneOf,
  several,
  text,
  textThat,
  textUpTo,
} from '@assay/account/routes/search-fields.ts'
import type { SearchOf } from '@assay/account/routes/search-schema.ts'
import { spanStatuses } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { type TraceFilters, type TraceOrder, traceOrders } from '@assay/contract/traces.ts'
import { timedSearchSchema, withFixedTime } from '../filter/time-range.ts'
import { toModeFilter, traceModes } from './trace-mode.ts'

/*
 * The filters and display options of the trace list, as URL search parameters.
 */

const traceText = textUpTo(limits.traceFilterLength.value)
const rootName = textUpTo(limits.rootNameLength.value)
const tag = textUpTo(limits.tagLength.value)
const attribute = textThat(
  (given) => given.length <= limits.traceFilterLength.value && /^[^=]+=/s.test(given),
)
const amount = number({ min: 0 })
const share = number({ min: 0, max: 1 })
const yesOrNo = oneOf(['true', 'false'])

/** Values that are each a filter. Never empty, no duplicates. */
function listOf(field: Field<string>, max: number = limits.filterValues.value) {
  return mapped(several(field, max), (given) => {
    const values = uniqueValues(given)
    return values.length === 0 ? undefined : values
  })
}

/** Values of which one must match; a single one is no list. */
function anyOf(field: Field<string>) {
  return mapped(several(field, limits.filterValues.value), (given) => {
    const values = uniqueValues(given)
    return values.length < 2 ? values[0] : values
  })
}

function uniqueValues(given: readonly string[]): readonly string[] {
  return [...new Set(given)].filter((one) => one !== '')
}

/** What the API accepts: see `traceFilters` in the contract. */
export const traceSearch = timedSearchSchema({
  status: oneOf(spanStatuses),
  mode: oneOf(traceModes),
  source: oneOf(['json', 'otlp']),
  name: rootName,
  not_name: rootName,
  q: textUpTo(limits.traceSearchLength.value),
  ...{ environment: anyOf(traceText), not_environment: listOf(traceText) },
  ...{ service: anyOf(traceText), not_service: listOf(traceText) },
  ...{ session_id: anyOf(traceText), not_session_id: listOf(traceText) },
  ...{ user_id: anyOf(traceText), not_user_id: listOf(traceText) },
  ...{ model: anyOf(traceText), not_model: listOf(traceText) },
  ...{ kind: anyOf(traceText), not_kind: listOf(traceText) },
  ...{ tag: listOf(tag, limits.tagFilters.value), any_tag: anyOf(tag), not_tag: listOf(tag) },
  attribute: listOf(attribute, limits.attributeFilters.value),
  not_attribute: listOf(attribute, limits.attributeFilters.value),
  ...{ min_cost_usd: amount, max_cost_usd: amount },
  ...{ min_duration_ms: amount, max_duration_ms: amount },
  ...{ min_tokens: amount, max_tokens: amount },
  ...{ has_score: yesOrNo, score: textUpTo(limits.nameLength.value), passed: yesOrNo },
  ...{ min_score: share, max_score: share },
  /** Comma-separated column IDs; absent for the user's last choice. */
  columns: text,
  /** Absent for the newest first. */
  order: oneOf(traceOrders),
  /** Present when live updates are paused. */
  live: oneOf(['off']),
})
export type TraceSearch = SearchOf<typeof traceSearch>
export type TraceListFilters = Omit<TraceSearch, 'columns' | 'live' | 'order'>

/** The filters alone, without the display options. */
export function pickFilters(search: TraceSearch): TraceListFilters {
  const { live: _, columns: __, order: ___, ...filters } = search
  return filters
}

/** What decides which traces are listed, and in which order. */
export function pickList({ live: _, columns: __, ...list }: TraceSearch): TraceSearch {
  return list
}

/** The order of the list for the API; the newest first is its default. */
export type ListedFilters = TraceFilters & { readonly order?: TraceOrder }

/** The filters and the order for the API. */
export function toListQuery(search: TraceSearch, nowMs: number): ListedFilters {
  const { order } = search
  return { ...toTraceFilters(search, nowMs), ...(order === undefined ? {} : { order }) }
}

/** The mode is no filter: the page always has one. */
export function hasFilters(search: TraceSearch): boolean {
  const { mode: _, ...filters } = pickFilters(search)
  return Object.keys(filters).length > 0
}

/** The mode and the display options, without filters. */
export function withoutFilters({ mode, live, columns, order }: TraceSearch): TraceSearch {
  return {
    ...(order === undefined ? {} : { order }),
    ...(mode === undefined ? {} : { mode }),
    ...(columns === undefined ? {} : { columns }),
    ...(live === undefined ? {} : { live }),
  }
}

/** The filters for the API; a relative range is resolved against `nowMs`. */
export function toTraceFilters(search: TraceSearch, nowMs: number): TraceFilters {
  const { mode, ...rest } = withFixedTime(pickFilters(search), nowMs)
  // The same values: only lists that cannot be changed have another type.
  return { ...(rest as TraceFilters), ...toModeFilter(mode) }
}
