import { countOf } from '@assay/ui/count-of.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { Button } from '@mantine/core'
import styles from './trace.module.css'
import type { TraceDownload } from './use-trace-download.ts'

interface Props {
  readonly download: TraceDownload
  readonly spanTotal: number
}

/** The progress of a download, or why it failed; nothing otherwise. */
export function DownloadLine({ download, spanTotal }: Props) {
  const { spanCount, error, start, cancel } = download
  if (spanCount !== undefined) {
    return (
      <div className={styles.line} role="status">
        Downloading: {formatCount(spanCount)} of {countOf(spanTotal, 'span')}
        <Button variant="default" size="compact-xs" onClick={cancel}>
          Cancel
        </Button>
      </div>
    )
  }
  if (error === null) return null
  return (
    <div className={styles.line} role="alert">
      Could not download the trace. {error.message}
      <Button variant="default" size="compact-xs" onClick={start}>
        Retry
      </Button>
    </div>
  )
}
