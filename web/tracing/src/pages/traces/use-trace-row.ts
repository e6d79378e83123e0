import type { Trace } from '@assay/contract/traces.ts'
import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { ColumnId } from './column-choice.ts'
import styles from './traces.module.css'

export interface RowProps {
  readonly projectId: string
  readonly trace: Trace
  readonly rowIndex: number
  readonly nowMs: number
  readonly isCurrent: boolean
  readonly isSelected: boolean
  readonly columns: readonly ColumnId[]
  readonly onSelect: (trace: Trace) => void
  readonly onFocus: (traceId: string) => void
}

/**
 * Makes the whole row open the trace like its link, in a new tab with the middle button or Ctrl. Keyboards and
 * screen readers use the link.
 */
export function useTraceRow({ projectId, trace, rowIndex, isCurrent, isSelected }: RowProps) {
  const navigate = useNavigate()
  return {
    className: styles.row,
    'data-current': isCurrent || undefined,
    'data-selected': isSelected || undefined,
    'data-trace-id': trace.trace_id,
    'aria-rowindex': rowIndex + 1,
    onClick(event: MouseEvent<HTMLTableRowElement>) {
      if (isOnControl(event) || getSelection()?.isCollapsed === false) return
      const to = {
        to: '/p/$projectId/traces/$traceId',
        params: { projectId, traceId: trace.trace_id },
      } as const
      if (event.metaKey || event.ctrlKey) openInNewTab(event)
      else void navigate(to)
    },
    onAuxClick(event: MouseEvent<HTMLTableRowElement>) {
      if (event.button === 1 && !isOnControl(event)) openInNewTab(event)
    },
  }
}

function isOnControl({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('a, label') !== null
}

function openInNewTab({ currentTarget }: MouseEvent): void {
  window.open(currentTarget.querySelector('a')?.href, '_blank', 'noopener')
}
