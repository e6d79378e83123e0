import type { Trace } from '@assay/contract/traces.ts'
import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import styles from './traces.module.css'

export interface RowProps {
  readonly projectId: string
  readonly trace: Trace
  readonly rowIndex: number
  readonly nowMs: number
  readonly isCurrent: boolean
  readonly onFocus: (traceId: string) => void
}

/** The whole row opens the trace; its link stays the one thing that keyboards and readers meet. */
export function useTraceRow({ projectId, trace, rowIndex, isCurrent }: RowProps) {
  const navigate = useNavigate()
  return {
    className: styles.row,
    'data-current': isCurrent || undefined,
    'data-trace-id': trace.trace_id,
    'aria-rowindex': rowIndex + 1,
    onClick(event: MouseEvent<HTMLTableRowElement>) {
      const isOnLink = event.target instanceof Element && event.target.closest('a') !== null
      if (isOnLink || getSelection()?.isCollapsed === false) return
      const to = {
        to: '/p/$projectId/traces/$traceId',
        params: { projectId, traceId: trace.trace_id },
      } as const
      if (event.metaKey || event.ctrlKey)
        event.currentTarget
          .querySelector('a')
          ?.dispatchEvent(new globalThis.MouseEvent('click', event.nativeEvent))
      else void navigate(to)
    },
  }
}
