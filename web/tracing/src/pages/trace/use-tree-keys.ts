import { type MouseEvent, useState } from 'react'
import type { SpanTree } from '../../spans/span-tree.ts'
import type { CollapseState, TreeRow } from './tree-rows.ts'

interface Options {
  readonly tree: SpanTree
  readonly rows: readonly TreeRow[]
  readonly collapse: CollapseState
  readonly selectedId: string | undefined
  readonly onCollapse: (next: CollapseState) => void
  readonly onSelect: (spanId: string) => void
  readonly reveal: (at: number) => void
}

/** Of the browser or of React. */
export type TreeKeyEvent = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'preventDefault'
>

const pageRows = 20

/** Keyboard and mouse handling of the tree, following the ARIA tree pattern. */
export function useTreeKeys(options: Options) {
  // A group can be current without being a selected span. It stays current until the selection changes.
  const [group, setGroup] = useState<{ id: string; selectedId: string | undefined }>()
  const { rows, collapse, selectedId, onCollapse, onSelect } = options
  const currentId = group !== undefined && group.selectedId === selectedId ? group.id : selectedId

  function pick(row: TreeRow): void {
    setGroup(row.is === 'group' ? { id: row.id, selectedId } : undefined)
    if (row.is === 'span') onSelect(row.id)
  }

  function toggle(row: TreeRow): void {
    if (row.is === 'span')
      onCollapse({ ...collapse, collapsedSpans: flipped(collapse.collapsedSpans, row.id) })
    else onCollapse({ ...collapse, expandedGroups: flipped(collapse.expandedGroups, row.id) })
  }

  function onClick(event: MouseEvent<HTMLElement>): void {
    if (!(event.target instanceof Element)) return
    const row = rows[Number(event.target.closest('[data-at]')?.getAttribute('data-at') ?? -1)]
    if (row === undefined) return
    const isToggle = event.target.closest('[data-toggle]') !== null
    if (isToggle) toggle(row)
    else pick(row)
    if (!isToggle && event.detail === 2 && canCollapse(row, options.tree)) toggle(row)
  }

  function onKeyDown(event: TreeKeyEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = rows.findIndex(({ id }) => id === currentId)
    const row = rows[at]
    const target = findTarget(event.key, at, options)
    if (target !== undefined) {
      const to = Math.min(rows.length - 1, Math.max(0, target))
      const next = rows[to]
      if (next !== undefined) pick(next)
      options.reveal(to)
    } else if (row !== undefined && toggles(event.key, row, options.tree)) {
      toggle(row)
    } else if (!handled.has(event.key)) {
      return
    }
    event.preventDefault()
  }

  return { currentId, onKeyDown, onClick }
}

const handled = new Set(['ArrowLeft', 'ArrowRight', 'Enter', ' '])

export function flipped(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

/** The target row of a navigation key, or undefined. */
function findTarget(key: string, at: number, { rows, tree }: Options): number | undefined {
  const row = rows[at]
  if (key === 'ArrowDown' || key === 'j') return at + 1
  if (key === 'ArrowUp' || key === 'k') return at - 1
  if (key === 'PageDown') return at + pageRows
  if (key === 'PageUp') return at - pageRows
  if (key === 'Home') return 0
  if (key === 'End') return rows.length - 1
  if (row === undefined) return undefined
  if (key === 'ArrowRight' && row.isOpen) return at + 1
  if (key === 'ArrowLeft' && !(row.isOpen && canCollapse(row, tree))) return parentRow(at, rows)
  return undefined
}

function parentRow(at: number, rows: readonly TreeRow[]): number | undefined {
  const depth = rows[at]?.depth ?? 0
  for (let above = at - 1; above >= 0; above -= 1) {
    if ((rows[above]?.depth ?? 0) < depth) return above
  }
  return undefined
}

function toggles(key: string, row: TreeRow, tree: SpanTree): boolean {
  if (!canCollapse(row, tree)) return false
  if (key === 'ArrowRight') return !row.isOpen
  if (key === 'ArrowLeft') return row.isOpen
  return key === ' ' || key === 'Enter'
}

function canCollapse(row: TreeRow, { nodes }: SpanTree): boolean {
  return row.is === 'group' || (nodes[row.at]?.children.length ?? 0) > 0
}
