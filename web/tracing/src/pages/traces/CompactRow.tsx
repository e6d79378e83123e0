import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { formatAge, formatUtc, instantMs } from '@assay/ui/time-format.ts'
import { memo } from 'react'
import { NameLink } from './NameLink.tsx'
import { SelectBox } from './SelectBox.tsx'
import { formatSummary } from './trace-columns.tsx'
import styles from './traces.module.css'
import { type RowProps, useTraceRow } from './use-trace-row.ts'

/** One trace on two lines, for narrow screens. */
export const CompactRow = memo(function CompactRow(props: RowProps) {
  const { trace, nowMs } = props
  return (
    <tr {...useTraceRow(props)}>
      <td className={styles.select}>
        <SelectBox {...props} />
      </td>
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
          <span className={styles.factsEnd}>{formatSummary(trace)}</span>
        </span>
      </td>
    </tr>
  )
})
