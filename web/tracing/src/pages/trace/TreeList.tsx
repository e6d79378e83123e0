import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { CriticalPath } from '../../spans/critical-path.ts'
import type { SpanTree } from '../../spans/span-tree.ts'
import type { TimeScale } from '../../spans/time-scale.ts'
import type { UsageSums } from '../../spans/usage-sums.ts'
import { TreeRowView } from './TreeRowView.tsx'
import styles from './tree.module.css'
import { type CollapseState, reveal, type TreeRow, treeRowPx } from './tree-rows.ts'
import { usePageKeys } from './use-page-keys.ts'
import { type TreeKeyEvent, useTreeKeys } from './use-tree-keys.ts'

interface Props {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly tree: SpanTree
  readonly rows: readonly TreeRow[]
  readonly scale: TimeScale
  readonly collapse: CollapseState
  readonly onCollapse: (next: CollapseState) => void
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
  /** Zooms by a factor; undefined resets. */
  readonly onZoom: (factor: number | undefined) => void
  readonly needle: string
  readonly isComplete: boolean
  readonly path: CriticalPath | undefined
  /** Undefined while tokens and cost are hidden. */
  readonly sums: UsageSums | undefined
  /** Calls that count in calls within them. */
  readonly outerCalls: ReadonlyMap<string, string>
}

const zoomKeys = new Map<string, number | undefined>([
  ['+', 2],
  ['=', 2],
  ['-', 0.5],
  ['0', undefined],
])

/** Those that mean nothing to a focused button or to scrolling. */
const pageKeys: ReadonlySet<string> = new Set(['j', 'k', ...zoomKeys.keys()])

/** The virtualized rows of the tree. */
export function TreeList(props: Props) {
  const { ref, tree, rows, scale, collapse, onCollapse, selectedId, onSelect, onZoom, path } = props
  // Memoized: the virtualizer recomputes all keys when this function changes, and scrolling renders often.
  const getKey = useCallback((at: number) => rows[at]?.id ?? at, [rows])
  // oxlint-disable-next-line react/incompatible-library -- the compiler is not in use, and nothing here is memoized on what the virtualizer returns
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => ref.current,
    estimateSize: () => treeRowPx,
    getItemKey: getKey,
    overscan: 15,
  })
  const keys = useTreeKeys({
    tree,
    rows,
    collapse,
    selectedId,
    onCollapse,
    onSelect,
    reveal: (at) => virtual.scrollToIndex(at, { align: 'auto' }),
  })

  // A span selected from elsewhere (the URL, the search, the next error) is scrolled into view.
  const revealed = useRef<string>(undefined)
  useEffect(() => {
    if (selectedId === undefined || revealed.current === selectedId) return
    const opened = reveal(tree, collapse, selectedId)
    if (opened !== collapse) return onCollapse(opened)
    const at = rows.findIndex(({ is, id }) => is === 'span' && id === selectedId)
    if (at === -1) return
    revealed.current = selectedId
    if (!isInView(ref.current, at)) virtual.scrollToIndex(at, { align: 'center' })
  }, [ref, selectedId, tree, collapse, rows, virtual, onCollapse])

  // A trace opens with its tree in focus, unless the person is elsewhere already: in a tab, a field or a dialog.
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [ref])

  function onKeyDown(event: TreeKeyEvent): void {
    const isZoom = zoomKeys.has(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!isZoom) return keys.onKeyDown(event)
    event.preventDefault()
    onZoom(zoomKeys.get(event.key))
  }
  usePageKeys(pageKeys, onKeyDown)

  return (
    <div
      ref={ref}
      className={styles.scroller}
      role="tree"
      aria-label="Spans of the trace"
      tabIndex={0}
      aria-activedescendant={keys.currentId === undefined ? undefined : rowDomId(keys.currentId)}
      onKeyDown={onKeyDown}
      onClick={keys.onClick}
    >
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <TreeRowView
              key={key}
              domId={rowDomId(row.id)}
              at={index}
              topPx={start}
              row={row}
              tree={tree}
              scale={scale}
              needle={props.needle}
              isComplete={props.isComplete}
              isCurrent={row.id === keys.currentId}
              path={path}
              sums={props.sums}
              isOuterCall={row.is === 'span' && props.outerCalls.has(row.id)}
            />
          )
        })}
      </div>
    </div>
  )
}

/** The row is visible, and not only in part. */
function isInView(scroller: HTMLElement | null, at: number): boolean {
  if (scroller === null) return false
  const topPx = at * treeRowPx - scroller.scrollTop
  return topPx >= 0 && topPx + treeRowPx <= scroller.clientHeight
}

function rowDomId(id: string): string {
  return `row-${encodeURIComponent(id)}`
}
