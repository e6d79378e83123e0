import { useQuery } from '@tanstack/react-query'
import { hiddenTracesQuery } from '../../api/traces.ts'
import { type TraceSearch, toTraceFilters } from '../../parts/trace-search.ts'

export interface HiddenTraceCount {
  readonly mode: 'live' | 'simulation'
  /** Null with filters, as in the list. */
  readonly total: number | null
}

/** The traces of the other mode that match the filters of an empty list; undefined while unknown, null for none. */
export function useHiddenTraces(
  projectId: string,
  { mode: shown = 'live', ...search }: TraceSearch,
): HiddenTraceCount | null | undefined {
  const mode = shown === 'live' ? 'simulation' : 'live'
  const isHiding = shown !== 'all'
  const { data, isPending } = useQuery({
    ...hiddenTracesQuery(projectId, { ...search, mode }, (nowMs) =>
      toTraceFilters({ ...search, mode }, nowMs),
    ),
    enabled: isHiding,
  })
  if (!isHiding) return null
  if (isPending) return undefined
  return data === undefined || data.isNone ? null : { mode, total: data.total }
}
