import { type RefObject, useEffect, useRef } from 'react'
import { mainControl } from './row-click.ts'

interface Options {
  readonly table: RefObject<HTMLTableElement | null>
  readonly rowCount: number
  /** The keys work anywhere on the page, unless the focused element handles them. */
  readonly isPageWide: boolean
  /** Scrolls to a row that may not be rendered yet. */
  readonly reveal: (index: number) => void
  readonly onToggle: (index: number, isRange: boolean) => void
}

const steps: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

/** Elements that handle the keys themselves. The checkbox of a row does not. */
const busyPlaces =
  'input:not(tbody input[type=checkbox]), textarea, select, [role=menu], [role=dialog], [role=radiogroup], [role=slider]'

/** `j`, `k` and the arrows move the focus between rows, `x` selects the focused one, `X` all from the last to it. */
export function useRowFocus(options: Options): void {
  const latest = useRef(options)
  const pendingIndex = useRef<number>(undefined)
  const lastIndex = useRef(-1)

  useEffect(() => {
    latest.current = options
    const { table } = options
    // A virtual row is only rendered after the table has scrolled to it.
    if (pendingIndex.current !== undefined && focusRow(table.current, pendingIndex.current)) {
      pendingIndex.current = undefined
    }
  })

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const { table, rowCount, isPageWide, reveal, onToggle } = latest.current
      const { target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (!(target instanceof Element) || target.closest(busyPlaces) !== null) return
      const row = table.current?.contains(target) ? target.closest('[data-index]') : null
      if (row === null && !isPageWide) return
      if (row !== null) lastIndex.current = Number(row.getAttribute('data-index'))
      if (event.key.toLowerCase() === 'x' && row !== null) {
        onToggle(lastIndex.current, event.shiftKey)
      }
      const step = steps[event.key]
      if (step === undefined || rowCount === 0) return
      event.preventDefault()
      const index = Math.min(rowCount - 1, Math.max(0, lastIndex.current + step))
      lastIndex.current = index
      reveal(index)
      if (!focusRow(table.current, index)) pendingIndex.current = index
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function focusRow(table: HTMLTableElement | null, index: number): boolean {
  const row = table?.querySelector(`[data-index="${index}"]`)
  if (row === null || row === undefined) return false
  const control =
    row.querySelector<HTMLElement>(mainControl) ??
    row.querySelector<HTMLElement>('a, button, input, select')
  control?.focus({ preventScroll: true })
  control?.scrollIntoView({ block: 'nearest' })
  return true
}
