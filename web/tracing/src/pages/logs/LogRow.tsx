import type { LogRecord } from '@assay/contract/logs.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { LogDetails } from './LogDetails.tsx'
import { formatBodyLine } from './log-format.ts'
import { type LogSearch, withText } from './log-search.ts'
import styles from './logs.module.css'
import { SeverityMark } from './SeverityMark.tsx'

interface Props {
  readonly projectId: string
  readonly log: LogRecord
  readonly rowIndex: number
  readonly nowMs: number
  readonly search: LogSearch
  readonly onChange: (next: LogSearch) => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/** One record as an expandable row. */
export function LogRow(props: Props) {
  const { projectId, log, rowIndex, nowMs, search, onChange, onKeyDown } = props
  const isOpen = search.open === log.log_id
  const line = formatBodyLine(log.body)
  const toggle = () => onChange(withText(search, 'open', isOpen ? undefined : log.log_id))
  return (
    <>
      <tr
        className={styles.row}
        data-open={isOpen || undefined}
        aria-rowindex={rowIndex + 2}
        onClick={() => {
          if (getSelection()?.isCollapsed !== false) toggle()
        }}
      >
        <td>
          <TimeText at={log.at} nowMs={nowMs} />
        </td>
        <td>
          <SeverityMark severity={log.severity} text={log.severity_text} />
        </td>
        <td className={styles.wide} title={log.service ?? undefined}>
          {log.service}
        </td>
        <td>
          <button
            type="button"
            data-row-button
            className={styles.line}
            aria-expanded={isOpen}
            onKeyDown={onKeyDown}
            onClick={(event) => {
              event.stopPropagation()
              toggle()
            }}
          >
            {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
            {log.event_name !== null && <span className={styles.event}>{log.event_name}</span>}
            <span className={styles.text}>{line === '' ? <i>(no body)</i> : line}</span>
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={4} className={styles.open}>
            <LogDetails {...{ projectId, log, search, onChange }} />
          </td>
        </tr>
      )}
    </>
  )
}
