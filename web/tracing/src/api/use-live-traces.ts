import { directoryQuery } from '@assay/account/api/projects.ts'
import { sessionQuery } from '@assay/account/api/session.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { watch } from './live-traces.ts'

export type LiveState = 'connecting' | 'live' | 'waiting'

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
      (event) => {
        if (end.signal.aborted) return
        switch (event.type) {
          case 'trace':
            gathered.set(event.trace.trace_id, event.trace)
            timer ??= setTimeout(report, gatherMs)
            return
          case 'connected':
            setState('live')
            return latest.current.onConnected()
          case 'refused': {
            // Refetches the session or the memberships, whose error handling then applies.
            const { queryKey } = event.status === 401 ? sessionQuery : directoryQuery
            return void queryClient.invalidateQueries({ queryKey })
          }
          default:
            setState(event.type)
        }
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
