import type { Stats } from '../../api/stats.ts'
import type { TraceMode } from '../../parts/trace-mode.ts'
import type { Aggregates, Measure } from './measures.ts'

/*
 * Stats grouped by name, model, environment or tag, and the filters for the traces of each group.
 */

export const splits = ['name', 'model', 'environment', 'tag'] as const
export type Split = (typeof splits)[number]

export interface Group {
  /** Null for traces without one. */
  readonly value: string | null
  readonly aggregates: Aggregates
}

export function toGroups(stats: Stats, split: Split): readonly Group[] {
  if (split === 'model') {
    return stats.by_model.map(({ model, call_count, ...aggregates }) => ({
      value: model,
      aggregates: { ...aggregates, count: call_count },
    }))
  }
  if (split === 'environment') {
    return stats.by_environment.map(({ environment, trace_count, ...aggregates }) => ({
      value: environment,
      aggregates: { ...aggregates, count: trace_count },
    }))
  }
  if (split === 'tag') {
    return stats.by_tag.map(({ tag, trace_count, ...aggregates }) => ({
      value: tag,
      aggregates: { ...aggregates, count: trace_count },
    }))
  }
  return stats.by_name.map(({ name, trace_count, ...aggregates }) => ({
    value: name,
    aggregates: { ...aggregates, count: trace_count },
  }))
}

/** Descending; unknown values last. */
export function ranked(groups: readonly Group[], { of }: Pick<Measure, 'of'>): readonly Group[] {
  const rank = ({ aggregates }: Group) => of(aggregates) ?? Number.NEGATIVE_INFINITY
  return [...groups].sort(
    (one, other) => rank(other) - rank(one) || (named(one) < named(other) ? -1 : 1),
  )
}

function named({ value }: Group): string {
  return value ?? ''
}

/** URL search parameters of the trace list. */
export interface TracesSearch {
  readonly from?: string
  readonly to?: string
  readonly status?: 'ERROR'
  readonly name?: string
  readonly model?: string
  readonly environment?: string
  readonly tag?: readonly string[]
  readonly mode?: TraceMode
}

export type StatsFilters = Readonly<Partial<Record<Split, string>>> & { readonly mode?: TraceMode }

/** The trace list for these stats. */
export function tracesWithin(
  { from, to }: Required<Pick<TracesSearch, 'from' | 'to'>>,
  { tag, ...filters }: StatsFilters,
): TracesSearch {
  return { from, to, ...filters, ...(tag === undefined ? {} : { tag: [tag] }) }
}

/** The trace list for a group; undefined if there is no matching filter. */
export function toTraceSearch(
  split: Split,
  value: string | null,
  time: Required<Pick<TracesSearch, 'from' | 'to'>>,
  filters: StatsFilters,
): TracesSearch | undefined {
  if (value === null || value === '') return undefined
  return tracesWithin(time, { ...filters, [split]: value })
}
