import { useMemo } from 'react'
import type { SpanTree } from '../../spans/span-tree.ts'
import { findNext, spansInError, toDisplayOrder } from './tree-find.ts'
import { usePageKeys } from './use-page-keys.ts'

const errorKeys: ReadonlySet<string> = new Set(['e', 'E'])

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
  usePageKeys(errorKeys, ({ shiftKey }) => go(shiftKey ? -1 : 1))

  const place = here === undefined ? -1 : errors.indexOf(here)
  return { count: errors.length, place: place === -1 ? undefined : place + 1, go }
}
