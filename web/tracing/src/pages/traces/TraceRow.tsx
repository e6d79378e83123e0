import { memo } from 'react'
import { NameLink } from './NameLink.tsx'
import { SelectBox } from './SelectBox.tsx'
import { columns } from './trace-columns.tsx'
import styles from './traces.module.css'
import { type RowProps, useTraceRow } from './use-trace-row.ts'

export const TraceRow = memo(function TraceRow(props: RowProps) {
  const { trace, nowMs } = props
  return (
    <tr {...useTraceRow(props)}>
      <td className={styles.select}>
        <SelectBox {...props} />
      </td>
      {props.columns.map((id) => {
        const { isNumber, cell } = columns[id]
        return (
          <td key={id} className={isNumber ? styles.numeric : undefined}>
            {cell === undefined ? <NameLink {...props} /> : cell(trace, nowMs)}
          </td>
        )
      })}
    </tr>
  )
})
