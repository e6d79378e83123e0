import type { Trace } from '@assay/contract/traces.ts'
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Keeps the visible rows in place while others are inserted above. At the very top, new rows scroll in. */
export function useScrollAnchor(
  scroller: RefObject<HTMLElement | null>,
  traces: readonly Trace[],
  rowHeightPx: number,
): void {
  const before = useRef(traces)
  useLayoutEffect(() => {
    const old = before.current
    before.current = traces
    const element = scroller.current
    if (element === null || old === traces || element.scrollTop === 0) return
    const at = Math.min(old.length - 1, Math.floor(element.scrollTop / rowHeightPx))
    const anchor = old[at]?.trace_id
    if (anchor === undefined) return
    const now = traces.findIndex(({ trace_id }) => trace_id === anchor)
    if (now > at) element.scrollBy({ top: (now - at) * rowHeightPx })
  }, [scroller, traces, rowHeightPx])
}
