import type { Trace } from '@assay/contract/traces.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'

interface Options {
  readonly traces: readonly Trace[]
  readonly searchBox: RefObject<HTMLInputElement | null>
  /** Scrolls a row into view. */
  readonly reveal: (at: number) => void
  readonly onSelect: (trace: Trace) => void
}

/** `j`, `k` and the arrows move the focus between rows, `x` selects the focused row, `/` focuses the search. */
export function useRowKeys(options: Options) {
  const [currentId, setCurrentId] = useState<string>()
  const body = useRef<HTMLTableSectionElement>(null)
  const latest = useRef({ ...options, currentId })
  const focusTarget = useRef<string>(undefined)
  useEffect(() => {
    latest.current = { ...options, currentId }
    // The target row may only be rendered once the list has scrolled to it.
    if (focusTarget.current !== undefined && focusRow(body.current, focusTarget.current)) {
      focusTarget.current = undefined
    }
  })

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusyElsewhere(event.target)) return
      const { traces, searchBox, reveal, onSelect, currentId: from } = latest.current
      if (event.key === '/') {
        event.preventDefault()
        searchBox.current?.focus()
        return
      }
      const at = traces.findIndex(({ trace_id }) => trace_id === from)
      const current = traces[at]
      if (event.key === 'x' && current !== undefined) onSelect(current)
      const step = steps[event.key]
      if (step === undefined) return
      const to = at === -1 ? 0 : Math.min(traces.length - 1, Math.max(0, at + step))
      const trace = traces[to]
      if (trace === undefined) return
      event.preventDefault()
      focusTarget.current = trace.trace_id
      setCurrentId(trace.trace_id)
      reveal(to)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return { body, currentId, setCurrentId }
}

const steps: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

/** Elements that handle these keys themselves. The checkbox of a row does not. */
const busyPlaces =
  'input:not(td input), textarea, select, [role=menu], [role=dialog], [role=radiogroup], [role=slider]'

function isBusyElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(busyPlaces) !== null
}

function focusRow(body: HTMLElement | null, traceId: string): boolean {
  const link = body?.querySelector<HTMLElement>(`[data-trace-id="${CSS.escape(traceId)}"] a`)
  link?.focus({ preventScroll: true })
  return link !== null && link !== undefined
}
