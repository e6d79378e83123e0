import type { Trace } from '@assay/contract/traces.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Loader } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useElementScrollRestoration } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useCallback, useEffect, useRef } from 'react'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { CompactRow } from './CompactRow.tsx'
import type { ColumnId } from './column-choice.ts'
import { TraceRow } from './TraceRow.tsx'
import { columns, widthOf } from './trace-columns.tsx'
import styles from './traces.module.css'
import { useRowKeys } from './use-row-keys.ts'
import { useScrollAnchor } from './use-scroll-anchor.ts'
import type { Selection } from './use-selection.ts'

interface Props {
  readonly projectId: string
  readonly traces: readonly Trace[]
  readonly total: number | null
  /** The rows belong to the previous filters while the new ones load. */
  readonly isStale: boolean
  readonly searchBox: RefObject<HTMLInputElement | null>
  readonly columns: readonly ColumnId[]
  readonly selection: Selection
  readonly next: NextPage
  /** After the last row. */
  readonly end: ReactNode
}

interface NextPage {
  readonly has: boolean
  readonly isFetching: boolean
  readonly error: Error | null
  readonly fetch: () => void
}

/** Fetches the next page when this many rows are left below the viewport; more once the user scrolls. */
const rowsAhead = { atRest: 50, scrolled: 250 }

/** A virtualized table with real table markup. */
export function TraceTable(props: Props) {
  const {
    projectId,
    traces,
    total,
    isStale,
    searchBox,
    columns: visibleColumns,
    selection,
    next,
    end,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isCompact = useMediaQuery('(width < 800px)', false, { getInitialValueInEffect: false })
  const rowHeightPx = isCompact ? 60 : 36
  const nowMs = useNow(10_000)
  const restored = useElementScrollRestoration({ id: 'traces' })
  // Memoized: the virtualizer recomputes all keys when this function changes, and scrolling renders often.
  const keyOf = useCallback((at: number) => traces[at]?.trace_id ?? at, [traces])
  // oxlint-disable-next-line react/incompatible-library -- the compiler is not in use, and nothing here is memoized on what the virtualizer returns
  const virtual = useVirtualizer({
    count: traces.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: keyOf,
    overscan: 12,
    initialOffset: restored?.scrollY ?? 0,
  })
  useEffect(() => virtual.measure(), [virtual, rowHeightPx])
  useScrollAnchor(scroller, traces, rowHeightPx)
  const keys = useRowKeys({
    traces,
    searchBox,
    reveal: (at) => virtual.scrollToIndex(at, { align: 'auto' }),
    onSelect: selection.toggle,
  })

  const items = virtual.getVirtualItems()
  const first = items[0]?.start ?? 0
  const rest = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const lastInView = items.at(-1)?.index ?? 0
  const ahead = first === 0 ? rowsAhead.atRest : rowsAhead.scrolled
  const isNearEnd = lastInView >= traces.length - ahead
  const { has, isFetching, error, fetch } = next
  useEffect(() => {
    if (isNearEnd && has && !isFetching && error === null) fetch()
  }, [isNearEnd, has, isFetching, error, fetch])

  const Row = isCompact ? CompactRow : TraceRow
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-scroll-restoration-id="traces"
      data-stale={isStale || undefined}
    >
      <table
        className={styles.table}
        style={isCompact ? {} : { minWidth: widthOf(visibleColumns) + selectWidthPx }}
        aria-rowcount={total ?? -1}
        aria-busy={isStale}
      >
        <caption className="visually-hidden">Traces, newest first</caption>
        {isCompact ? <CompactColumns /> : <Head visibleColumns={visibleColumns} />}
        <tbody ref={keys.body}>
          <Spacer heightPx={first} />
          {items.map(({ key, index }) => {
            const trace = traces[index]
            if (trace === undefined) return null
            return (
              <Row
                key={key}
                rowIndex={index}
                projectId={projectId}
                trace={trace}
                nowMs={nowMs}
                isCurrent={trace.trace_id === keys.currentId}
                isSelected={selection.has(trace.trace_id)}
                columns={visibleColumns}
                onSelect={selection.toggle}
                onFocus={keys.setCurrentId}
              />
            )
          })}
          <Spacer heightPx={rest} />
        </tbody>
      </table>
      {isFetching && lastInView >= traces.length - 1 && (
        <div className={styles.more} role="status">
          <Loader size="xs" /> Loading more…
        </div>
      )}
      {error !== null && <RequestProblem error={error} onRetry={fetch} />}
      {end}
    </div>
  )
}

const selectWidthPx = 36

function CompactColumns() {
  return (
    <colgroup>
      <col style={{ width: selectWidthPx }} />
      <col />
    </colgroup>
  )
}

function Head({ visibleColumns }: { readonly visibleColumns: readonly ColumnId[] }) {
  return (
    <>
      <colgroup>
        <col style={{ width: selectWidthPx }} />
        {visibleColumns.map((id) => {
          const { widthPx } = columns[id]
          return <col key={id} style={widthPx === undefined ? {} : { width: widthPx }} />
        })}
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Selected</span>
          </th>
          {visibleColumns.map((id) => {
            const { title, isNumber, hint } = columns[id]
            return (
              <th
                key={id}
                scope="col"
                className={isNumber ? styles.numeric : undefined}
                title={hint}
              >
                {title}
              </th>
            )
          })}
        </tr>
      </thead>
    </>
  )
}

function Spacer({ heightPx }: { readonly heightPx: number }) {
  return heightPx > 0 ? <tr aria-hidden style={{ height: heightPx }} /> : null
}
