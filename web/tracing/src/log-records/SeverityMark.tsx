import {
  IconAlertTriangle,
  IconBug,
  IconInfoCircle,
  IconPoint,
  IconSkull,
  IconXboxX,
} from '@tabler/icons-react'
import type { SeverityName } from '../api/trace-logs.ts'
import { toSeverityName } from './log-format.ts'
import styles from './log-records.module.css'

interface Props {
  readonly severity: number
  readonly text: string | null
}

export function SeverityMark({ severity, text }: Props) {
  const name = toSeverityName(severity)
  if (name === undefined) return <span className="dimmed">{text ?? '—'}</span>
  const Icon = icons[name]
  return (
    <span className={styles.severity} data-severity={name} title={text ?? undefined}>
      <Icon size={15} stroke={1.75} aria-hidden />
      {name}
    </span>
  )
}

const icons: Readonly<Record<SeverityName, typeof IconBug>> = {
  trace: IconPoint,
  debug: IconBug,
  info: IconInfoCircle,
  warn: IconAlertTriangle,
  error: IconXboxX,
  fatal: IconSkull,
}
