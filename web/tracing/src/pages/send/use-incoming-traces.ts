import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { listTraces, type Trace } from '@assay/contract/traces.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type LiveState, useLiveTraces } from '../../api/use-live-traces.ts'

export interface IncomingState {
  readonly state: LiveState
  /** The project had no trace when the page opened; undefined until that is known. */
  readonly isFirst: boolean | undefined
  /** The traces received since then, newest first. */
  readonly traces: readonly Trace[]
  readonly error: Error | null
  readonly retry: () => void
}

const maxTraces = 5

/** Waits for traces of a project: through the stream and, whenever that reconnects, a request. */
export function useIncomingTraces(projectId: string): IncomingState {
  const [isFirst, setFirst] = useState<boolean>()
  const [streamed, setStreamed] = useState<readonly Trace[]>([])

  const newest = useQuery({
    queryKey: ['newest-trace', projectId],
    queryFn: ({ signal }) =>
      call(base, listTraces, { params: { projectId }, query: { limit: 1 } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  if (isFirst === undefined && newest.data !== undefined) setFirst(newest.data.length === 0)

  const state = useLiveTraces(projectId, {
    isOn: true,
    onTraces: (arrived) => setStreamed((before) => merged(arrived.toReversed(), before)),
    onConnected: () => newest.refetch({ throwOnError: true }),
  })
  // A first trace that arrived while the stream was down is in the response.
  const found = isFirst === true ? (newest.data ?? []) : []
  return {
    state,
    isFirst,
    traces: merged(streamed, found),
    error: newest.error,
    retry: () => void newest.refetch(),
  }
}

/** Prepends traces, without duplicates. */
function merged(some: readonly Trace[], others: readonly Trace[]): readonly Trace[] {
  const ids = new Set(some.map(({ trace_id }) => trace_id))
  return [...some, ...others.filter(({ trace_id }) => !ids.has(trace_id))].slice(0, maxTraces)
}
