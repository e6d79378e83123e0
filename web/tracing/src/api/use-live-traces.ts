import type { Trace } from '@assay/contract/traces.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type LiveState, watch } from './live-traces.ts'
import { directoryQuery } from './projects.ts'
import { sessionQuery } from './session.ts'

interface Options {
  readonly isOn: boolean
  /** The traces that were stored or changed since the last call, each once, as it now is. */
  readonly onTraces: (traces: readonly Trace[]) => void
  /** The stream has begun, or begun again: what was missed must be fetched. */
  readonly onConnected: () => void
}

/** Changes are reported in batches, so that a busy project does not redraw the page for each trace. */
const gatherMs = 200

/** Follows the traces of a project while the page is shown. Gives the state of the stream. */
export function useLiveTraces(projectId: string, options: Options): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  const queryClient = useQueryClient()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })

  const { isOn } = options
  useEffect(() => {
    if (!isOn) return
    const end = new AbortController()
    const gathered = new Map<string, Trace>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const report = () => {
      timer = undefined
      const traces = [...gathered.values()]
      gathered.clear()
      latest.current.onTraces(traces)
    }
    void watch(
      projectId,
      {
        onTrace(trace) {
          gathered.set(trace.trace_id, trace)
          timer ??= setTimeout(report, gatherMs)
        },
        onState: (next) => !end.signal.aborted && setState(next),
        onConnected: () => latest.current.onConnected(),
        // Asking who this is and what they may see lets the places that handle it handle this too.
        onRefused: () => {
          void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
          void queryClient.invalidateQueries({ queryKey: directoryQuery.queryKey })
        },
      },
      end.signal,
    )
    return () => {
      end.abort()
      clearTimeout(timer)
    }
  }, [projectId, isOn, queryClient])

  return state
}
