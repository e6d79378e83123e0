import type { Trace } from '@assay/contract/traces.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import { IconProgress } from '@tabler/icons-react'
import { isRunning } from './trace-progress.ts'
import styles from './trace-status.module.css'

interface Props {
  readonly trace: Pick<Trace, 'status' | 'unfinished' | 'updated_at'>
}

/** The status of a trace, or that it runs. An error is shown also while it runs. */
export function TraceStatus({ trace }: Props) {
  const nowMs = useNow(10_000)
  const isError = trace.status === 'ERROR'
  if (isError || !isRunning(trace, nowMs)) {
    return <StatusMark isError={isError} word={isError ? 'Error' : 'OK'} />
  }
  return (
    <span className={styles.running} title={waitsFor[trace.unfinished ?? 'root_open']}>
      <IconProgress size={15} stroke={1.75} aria-hidden />
      Running
    </span>
  )
}

const waitsFor = {
  root_open: 'The root span has no end yet.',
  root_missing: 'The root span has not arrived yet.',
} as const
