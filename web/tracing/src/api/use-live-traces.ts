import type { Trace } from '@assay/contract/traces.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type LiveState, watch } from './live-traces.ts'
import { directoryQuery } from './projects.ts'
import { sessionQuery } from './session.ts'

interface Options {
  readonly isOn: boolean
  /** The traces stored or changed since the last call, each once, in their latest version. */
  readonly onTraces: (traces: readonly Trace[]) => void
  /** The stream has connected or reconnected: missed changes must be fetched. */
  readonly onConnected: () => void
}

/** Changes are batched, so that a busy project does not re-render the page for each trace. */
const gatherMs = 200

/** Follows the traces of a project while the page is visible. Returns the state of the stream. */
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
        // Refetches the session and the memberships, whose error handling then applies.
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
