import type { LogRecord } from '@assay/contract/logs.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useCallback, useRef } from 'react'
import { LogRow } from './LogRow.tsx'
import type { LogSearch } from './log-search.ts'
import styles from './logs.module.css'

interface Props {
  readonly projectId: string
  readonly logs: readonly LogRecord[]
  readonly isStale: boolean
  readonly search: LogSearch
  readonly onChange: (next: LogSearch) => void
  /** Called when scrolling close to the last loaded row. */
  readonly onNearEnd: () => void
  /** Rendered below the last row. */
  readonly end: ReactNode
}

const rowsAhead = 20
const steps: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

/** A virtualized table with real table markup. */
export function LogTable({ projectId, logs, isStale, search, onChange, onNearEnd, end }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const nowMs = useNow(60_000)
  // Memoized: the virtualizer recomputes all keys when this function changes, and scrolling renders often.
  const keyOf = useCallback((at: number) => logs[at]?.log_id ?? at, [logs])
  // oxlint-disable-next-line react/incompatible-library -- the compiler is not in use, and nothing here is memoized on what the virtualizer returns
  const virtual = useVirtualizer({
    count: logs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 34,
    getItemKey: keyOf,
    overscan: 15,
    onChange: (instance) => {
      const last = instance.getVirtualItems().at(-1)?.index ?? 0
      if (last >= logs.length - rowsAhead) onNearEnd()
    },
  })
  const items = virtual.getVirtualItems()

  /** The arrows and `j`, `k` move between rows. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>, at: number): void {
    const step = steps[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const to = at + step
    if (to < 0 || to >= logs.length) return
    event.preventDefault()
    virtual.scrollToIndex(to, { align: 'auto' })
    // The target row may only be rendered once the list has scrolled to it.
    requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-index="${to}"] [data-row-button]`)
        ?.focus({ preventScroll: true }),
    )
  }

  return (
    <div ref={scroller} className={styles.scroller} data-stale={isStale || undefined}>
      <table className={styles.table} aria-rowcount={-1} aria-busy={isStale}>
        <caption className="visually-hidden">Log records, newest first</caption>
        <colgroup>
          <col className={styles.timeColumn} />
          <col className={styles.severityColumn} />
          <col className={styles.serviceColumn} />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Severity</th>
            <th scope="col" className={styles.wide}>
              Service
            </th>
            <th scope="col">Record</th>
          </tr>
        </thead>
        <Spacer heightPx={items[0]?.start ?? 0} />
        {items.map(({ key, index }) => {
          const log = logs[index]
          if (log === undefined) return null
          return (
            <tbody key={key} ref={virtual.measureElement} data-index={index}>
              <LogRow
                {...{ projectId, log, nowMs, search, onChange }}
                rowIndex={index}
                onKeyDown={(event) => onKeyDown(event, index)}
              />
            </tbody>
          )
        })}
        <Spacer heightPx={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
      </table>
      {end}
    </div>
  )
}

function Spacer({ heightPx }: { readonly heightPx: number }) {
  if (heightPx <= 0) return null
  return (
    <tbody aria-hidden>
      <tr style={{ height: heightPx }} />
    </tbody>
  )
}
