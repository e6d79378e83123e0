import type { Trace } from '@assay/contract/traces.ts'
import { useState } from 'react'

export interface Selection {
  /** In the order of selection. */
  readonly traces: readonly Trace[]
  readonly has: (traceId: string) => boolean
  readonly toggle: (trace: Trace) => void
  readonly toggleAll: (traces: readonly Trace[], isSelected: boolean) => void
  /** Replaces the selected ones among these. */
  readonly update: (changed: readonly Trace[]) => void
  readonly drop: (traceId: string) => void
  readonly clear: () => void
  /** Whether anything has been selected yet. */
  readonly isUsed: boolean
}

/** The selected traces. They stay selected while the list changes. */
export function useSelection(): Selection {
  const [traces, setTraces] = useState<readonly Trace[]>([])
  const [isUsed, setUsed] = useState(false)
  if (traces.length > 0 && !isUsed) setUsed(true)
  const ids = new Set(traces.map(({ trace_id }) => trace_id))
  return {
    traces,
    isUsed,
    has: (traceId) => ids.has(traceId),
    toggle(trace) {
      setTraces((before) => {
        const others = before.filter(({ trace_id }) => trace_id !== trace.trace_id)
        return others.length < before.length ? others : [...before, trace]
      })
    },
    toggleAll(changed, isSelected) {
      const changedIds = new Set(changed.map(({ trace_id }) => trace_id))
      setTraces((before) => {
        const others = before.filter(({ trace_id }) => !changedIds.has(trace_id))
        return isSelected ? [...others, ...changed] : others
      })
    },
    update(changed) {
      const byId = new Map(changed.map((trace) => [trace.trace_id, trace]))
      setTraces((before) => before.map((trace) => byId.get(trace.trace_id) ?? trace))
    },
    drop: (traceId) => setTraces((before) => before.filter(({ trace_id }) => trace_id !== traceId)),
    clear: () => setTraces([]),
  }
}
