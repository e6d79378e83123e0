import { directoryQuery } from '@assay/account/api/projects.ts'
import { mayBeOutage } from '@assay/account/api/recovery.ts'
import { sessionQuery } from '@assay/account/api/session.ts'
import { backoffMs, pause } from '@assay/contract/backoff.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { watch } from './live-traces.ts'

export type LiveState = 'connecting' | 'live' | 'waiting'

interface Options {
  readonly isOn: boolean
  /** The traces stored or changed since the last call, each once, in their latest version. */
  readonly onTraces: (traces: readonly Trace[]) => void
  /**
   * The stream has connected or reconnected: missed changes must be fetched. While an outage rejects that, the state is
   * not `live`, and it is called again.
   */
  readonly onConnected: () => Promise<unknown>
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
    let connection = new AbortController()
    const gathered = new Map<string, Trace>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const report = () => {
      timer = undefined
      const traces = [...gathered.values()]
      gathered.clear()
      latest.current.onTraces(traces)
    }
    const catchUp = async (signal: AbortSignal) => {
      for (let failures = 0; !signal.aborted; failures += 1) {
        const isLive = await latest.current.onConnected().then(
          () => true,
          // Other errors are shown by the query that they are of.
          (error: unknown) => !(error instanceof Error && mayBeOutage(error)),
        )
        if (signal.aborted) return
        setState(isLive ? 'live' : 'waiting')
        if (isLive) return
        await pause(backoffMs(failures), signal)
      }
    }
    void watch(
      projectId,
      (event) => {
        if (end.signal.aborted) return
        if (event.type !== 'trace') connection.abort()
        switch (event.type) {
          case 'trace':
            gathered.set(event.trace.trace_id, event.trace)
            timer ??= setTimeout(report, gatherMs)
            return
          case 'connected':
            connection = new AbortController()
            return void catchUp(connection.signal)
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
      connection.abort()
      clearTimeout(timer)
    }
  }, [projectId, isOn, queryClient])

  return state
}
