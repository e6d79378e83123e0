import type { Trace } from '@assay/contract/traces.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { IconEqual } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CompareRow } from './CompareRow.tsx'
import styles from './compare.module.css'
import { rowId, visibleRows } from './compare-rows.ts'
import { OutputDifference } from './OutputDifference.tsx'
import type { Comparison } from './use-comparison.ts'

interface Props {
  readonly projectId: string
  readonly traceA: Trace
  readonly traceB: Trace
  readonly comparison: Comparison
  readonly isComplete: boolean
  readonly isOnly: boolean
  readonly openRow: string | undefined
  readonly onOpenRow: (row: string | undefined) => void
}

const rowPx = 32

/** The aligned spans as one tree, in a virtualized table with real table markup. */
export function CompareTable(props: Props) {
  const { projectId, traceA, traceB, comparison, isComplete, isOnly, openRow, onOpenRow } = props
  const { aligned, differing } = comparison
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(
    () => visibleRows(comparison, isOnly ? differing : undefined, closed),
    [comparison, isOnly, differing, closed],
  )
  const scroller = useRef<HTMLDivElement>(null)
  // Memoized: the virtualizer recomputes all keys when this function changes, and scrolling renders often.
  const keyOf = useCallback((at: number) => rows[at] ?? at, [rows])
  // oxlint-disable-next-line react/incompatible-library -- the compiler is not in use, and nothing here is memoized on what the virtualizer returns
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: keyOf,
    overscan: 12,
  })

  const idAt = (at: number) => {
    const row = aligned[at]
    return row === undefined ? '' : rowId(row, comparison)
  }
  const fold = useEvent((at: number) => {
    const next = new Set(closed)
    const id = idAt(at)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  })
  const open = useEvent((at: number) => onOpenRow(idAt(at) === openRow ? undefined : idAt(at)))

  if (isOnly && rows.length === 0 && isComplete) {
    return (
      <EmptyState icon={<IconEqual size={20} />} title="No differences">
        Both traces have the same spans with the same status, tokens and cost, and durations within
        25%.
      </EmptyState>
    )
  }
  const items = virtual.getVirtualItems()
  const first = items[0]?.start ?? 0
  const rest = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div ref={scroller} className={styles.scroller}>
      <table className={styles.table} aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">Spans of both traces</caption>
        <Head />
        <tbody>{first > 0 && <tr aria-hidden style={{ height: first }} />}</tbody>
        {items.map(({ index, key }) => {
          const at = rows[index]
          const row = at === undefined ? undefined : aligned[at]
          if (at === undefined || row === undefined) return null
          const id = rowId(row, comparison)
          const isOpen = id === openRow
          return (
            // One tbody per row and its details, so that the virtualizer measures them together.
            <tbody key={key} data-index={index} ref={virtual.measureElement}>
              <CompareRow
                at={at}
                rowIndex={index + 2}
                comparison={comparison}
                isOpen={isOpen}
                isClosed={closed.has(id)}
                onFold={fold}
                onOpen={open}
              />
              {isOpen && (
                <tr>
                  <td colSpan={columnCount} className={styles.opened}>
                    <OutputDifference
                      projectId={projectId}
                      traceA={traceA.trace_id}
                      traceB={traceB.trace_id}
                      spanA={comparison.a.nodes[row.a]?.span.span_id}
                      spanB={comparison.b.nodes[row.b]?.span.span_id}
                    />
                  </td>
                </tr>
              )}
            </tbody>
          )
        })}
        <tbody>{rest > 0 && <tr aria-hidden style={{ height: rest }} />}</tbody>
      </table>
    </div>
  )
}

/** In pixels; the name fills the remaining width. */
const widths = [undefined, 132, ...[80, 80, 86], ...[58, 58, 64], ...[96, 96, 94]] as const
const columnCount = widths.length

function Head() {
  return (
    <>
      <colgroup>
        {widths.map((width, at) => (
          // Columns are never reordered.
          <col key={at} style={width === undefined ? {} : { width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <th scope="col" rowSpan={2}>
            Span
          </th>
          <th scope="col" rowSpan={2}>
            Difference
          </th>
          <th scope="colgroup" colSpan={3}>
            Duration
          </th>
          <th scope="colgroup" colSpan={3}>
            Tokens
          </th>
          <th scope="colgroup" colSpan={3}>
            Cost
          </th>
        </tr>
        <tr>
          {['Duration', 'Tokens', 'Cost'].flatMap((group) => [
            <th key={`${group} A`} scope="col" aria-label={`${group} A`}>
              A
            </th>,
            <th key={`${group} B`} scope="col" aria-label={`${group} B`}>
              B
            </th>,
            <th key={`${group} change`} scope="col" aria-label={`Change in ${group}`}>
              Change
            </th>,
          ])}
        </tr>
      </thead>
    </>
  )
}

/** A stable callback that always runs the latest `act`, so that rows do not re-render. */
function useEvent(act: (at: number) => void): (at: number) => void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  return useCallback((at) => latest.current(at), [])
}
