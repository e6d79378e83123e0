import { formatDuration } from '@assay/ui/time-format.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { SpanTree } from './span-tree.ts'
import { TreeRowView } from './TreeRowView.tsx'
import { TreeToolbar } from './TreeToolbar.tsx'
import { scaleOf, ticks } from './time-scale.ts'
import styles from './tree.module.css'
import { spansNamed } from './tree-find.ts'
import { type Folding, revealing, treeRows, unfolded } from './tree-rows.ts'
import { useTreeKeys } from './use-tree-keys.ts'

interface Props {
  readonly tree: SpanTree
  readonly isComplete: boolean
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
}

const treeRowPx = 28

/** The tree of spans and their time line in one list, drawn as far as it is in view. */
export function TreePane({ tree, isComplete, selectedId, onSelect }: Props) {
  const [folding, setFolding] = useState<Folding>(unfolded)
  const [wanted, setWanted] = useState('')
  const needle = useDeferredValue(wanted.trim())
  const rows = useMemo(() => treeRows(tree, folding), [tree, folding])
  const scale = useMemo(() => scaleOf(tree.nodes.map(({ span }) => span)), [tree])
  const named = useMemo(() => spansNamed(tree, needle), [tree, needle])
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the compiler is not in use, and nothing here is memoized on what the virtualizer returns
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => treeRowPx,
    getItemKey: (at) => rows[at]?.id ?? at,
    overscan: 15,
  })
  const keys = useTreeKeys({
    tree,
    rows,
    folding,
    selectedId,
    onFold: setFolding,
    onSelect,
    reveal: (at) => virtual.scrollToIndex(at, { align: 'auto' }),
  })

  // Whatever selects a span (the address, the search, the next error) brings it into view.
  const revealed = useRef<string>(undefined)
  useEffect(() => {
    if (selectedId === undefined || revealed.current === selectedId) return
    const opened = revealing(tree, folding, selectedId)
    if (opened !== folding) return setFolding(opened)
    const at = rows.findIndex(({ is, id }) => is === 'span' && id === selectedId)
    if (at === -1) return
    revealed.current = selectedId
    virtual.scrollToIndex(at, { align: 'auto' })
  }, [selectedId, tree, folding, rows, virtual])

  return (
    <section className={styles.root} aria-label="Spans">
      <TreeToolbar
        tree={tree}
        wanted={wanted}
        onWanted={setWanted}
        named={named}
        selectedId={selectedId}
        onSelect={onSelect}
        onFold={setFolding}
      />
      <div className={styles.ruler} aria-hidden>
        <div className={styles.rulerLine}>
          {ticks(scale, 4).map((atMs) => (
            <span key={atMs} style={{ left: `${(atMs / scale.lengthMs) * 100}%` }}>
              {atMs === 0 ? '0' : formatDuration(atMs)}
            </span>
          ))}
        </div>
      </div>
      <div
        ref={scroller}
        className={styles.scroller}
        role="tree"
        aria-label="Spans of the trace"
        tabIndex={0}
        aria-activedescendant={keys.currentId === undefined ? undefined : rowDomId(keys.currentId)}
        onKeyDown={keys.onKeyDown}
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
                needle={needle}
                isComplete={isComplete}
                isCurrent={row.id === keys.currentId}
              />
            )
          })}
        </div>
      </div>
    </section>
  )
}

function rowDomId(id: string): string {
  return `row-${encodeURIComponent(id)}`
}
