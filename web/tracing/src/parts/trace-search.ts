import { type SearchOf, text } from '@assay/account/routes/search-schema.ts'
import {
  type TraceFilters,
  type TraceOrder,
  traceFilters,
  traceOrders,
} from '@assay/contract/traces.ts'
import { z } from 'zod'
import { timedSearchSchema, withFixedTime } from '../filter/time-range.ts'
import { toModeFilter, traceModes } from './trace-mode.ts'

/*
 * The filters and display options of the trace list, as URL search parameters.
 */

const { shape } = traceFilters

/** Values that are each a filter. Never empty, no duplicates. */
function listOf<Field extends z.ZodType<string | readonly string[]>>(field: Field) {
  return field.transform((given): readonly string[] | undefined => {
    const values = uniqueValues(given)
    return values.length === 0 ? undefined : values
  })
}

/** Values of which one must match; a single one is no list. */
function anyOf<Field extends z.ZodType<string | readonly string[]>>(field: Field) {
  return field.transform((given): string | readonly string[] | undefined => {
    const values = uniqueValues(given)
    return values.length < 2 ? values[0] : values
  })
}

function uniqueValues(given: string | readonly string[]): readonly string[] {
  return [...new Set([given].flat())].filter((one) => one !== '')
}

const repeatable = {
  tag: listOf(shape.tag.unwrap()),
  any_tag: anyOf(shape.any_tag.unwrap()),
  model: anyOf(shape.model.unwrap()),
  kind: anyOf(shape.kind.unwrap()),
  environment: anyOf(shape.environment.unwrap()),
  service: anyOf(shape.service.unwrap()),
  session_id: anyOf(shape.session_id.unwrap()),
  user_id: anyOf(shape.user_id.unwrap()),
  attribute: listOf(shape.attribute.unwrap()),
  not_tag: listOf(shape.not_tag.unwrap()),
  not_model: listOf(shape.not_model.unwrap()),
  not_kind: listOf(shape.not_kind.unwrap()),
  not_environment: listOf(shape.not_environment.unwrap()),
  not_service: listOf(shape.not_service.unwrap()),
  not_session_id: listOf(shape.not_session_id.unwrap()),
  not_user_id: listOf(shape.not_user_id.unwrap()),
}

export const traceSearch = timedSearchSchema({
  ...traceFilters.omit({ from: true, to: true }).shape,
  ...repeatable,
  mode: z.enum(traceModes),
  /** Comma-separated column IDs; absent for the user's last choice. */
  columns: text,
  /** Absent for the newest first. */
  order: z.enum(traceOrders),
  /** Present when live updates are paused. */
  live: z.literal('off'),
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
