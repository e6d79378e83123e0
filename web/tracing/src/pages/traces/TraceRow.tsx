import type { Trace } from '@assay/contract/traces.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { formatAge, formatUtc, instantMs } from '@assay/ui/time-format.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { columns, narrowFacts } from './trace-columns.tsx'
import styles from './traces.module.css'

interface Props {
  readonly projectId: string
  readonly trace: Trace
  readonly rowIndex: number
  readonly nowMs: number
  readonly isCurrent: boolean
  readonly onFocus: (traceId: string) => void
}

/** One trace in a line. */
export function TraceRow(props: Props) {
  const { trace, nowMs } = props
  return (
    <tr {...useRow(props)}>
      {columns.map(({ id, isNumber, cell }) => (
        <td key={id} className={isNumber ? styles.numeric : undefined}>
          {cell === undefined ? <NameLink {...props} /> : cell(trace, nowMs)}
        </td>
      ))}
    </tr>
  )
}

/** One trace in two lines, for a narrow window. */
export function NarrowRow(props: Props) {
  const { trace, nowMs } = props
  return (
    <tr {...useRow(props)}>
      <td className={styles.narrow}>
        <NameLink {...props} />
        <span className={styles.facts}>
          <StatusMark
            isError={trace.status === 'ERROR'}
            word={trace.status === 'ERROR' ? 'Error' : 'OK'}
          />
          <time dateTime={trace.started_at} title={formatUtc(trace.started_at)}>
            {formatAge(instantMs(trace.started_at), nowMs)}
          </time>
          <span className={styles.factsEnd}>{narrowFacts(trace)}</span>
        </span>
      </td>
    </tr>
  )
}

function NameLink({ projectId, trace, onFocus }: Props) {
  const name = trace.root_name === '' ? trace.trace_id : trace.root_name
  return (
    <Link
      to="/p/$projectId/traces/$traceId"
      params={{ projectId, traceId: trace.trace_id }}
      preload={false}
      className={styles.name}
      title={name}
      onFocus={() => onFocus(trace.trace_id)}
    >
      {name}
    </Link>
  )
}

/** The whole row opens the trace; its link stays the one thing that keyboards and readers meet. */
function useRow({ projectId, trace, rowIndex, isCurrent }: Props) {
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
