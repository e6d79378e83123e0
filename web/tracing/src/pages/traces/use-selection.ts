import type { Trace } from '@assay/contract/traces.ts'
import { useState } from 'react'

export interface Selection {
  /** In the order of selection. */
  readonly traces: readonly Trace[]
  readonly has: (traceId: string) => boolean
  readonly toggle: (trace: Trace) => void
  readonly drop: (traceId: string) => void
  readonly clear: () => void
}

/** The selected traces. They stay selected while the list changes. */
export function useSelection(): Selection {
  const [traces, setTraces] = useState<readonly Trace[]>([])
  const ids = new Set(traces.map(({ trace_id }) => trace_id))
  return {
    traces,
    has: (traceId) => ids.has(traceId),
    toggle(trace) {
      setTraces((before) => {
        const others = before.filter(({ trace_id }) => trace_id !== trace.trace_id)
        return others.length < before.length ? others : [...before, trace]
      })
    },
    drop: (traceId) => setTraces((before) => before.filter(({ trace_id }) => trace_id !== traceId)),
    clear: () => setTraces([]),
  }
}
