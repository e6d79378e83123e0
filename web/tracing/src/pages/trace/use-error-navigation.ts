import { useEffect, useMemo, useRef } from 'react'
import type { SpanTree } from '../../spans/span-tree.ts'
import { findNext, spansInError, toDisplayOrder } from './tree-find.ts'

export interface ErrorNavigation {
  readonly count: number
  /** 1-based position of the selected span among the failed ones; undefined if it did not fail. */
  readonly place: number | undefined
  readonly go: (step: 1 | -1) => void
}

/** Steps through the failed spans, wrapping around; bound to `e` and `E` on the whole page. */
export function useErrorNavigation(
  tree: SpanTree,
  selectedId: string | undefined,
  onSelect: (spanId: string) => void,
): ErrorNavigation {
  const errors = useMemo(() => spansInError(tree), [tree])
  const places = useMemo(() => toDisplayOrder(tree), [tree])
  const here = selectedId === undefined ? undefined : tree.positionById.get(selectedId)

  function go(step: 1 | -1): void {
    const span = tree.nodes[findNext(errors, places, here, step) ?? -1]?.span
    if (span !== undefined) onSelect(span.span_id)
  }
  const latest = useRef(go)
  useEffect(() => {
    latest.current = go
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'e' || isHandledElsewhere(event)) return
      event.preventDefault()
      latest.current(event.shiftKey ? -1 : 1)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  const place = here === undefined ? -1 : errors.indexOf(here)
  return { count: errors.length, place: place === -1 ? undefined : place + 1, go }
}

/** Typing, an open dialog, or a browser shortcut. */
function isHandledElsewhere({
  target,
  ctrlKey,
  metaKey,
  altKey,
  defaultPrevented,
}: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return true
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, dialog, [role=dialog], [role=menu]') !== null
  )
}
