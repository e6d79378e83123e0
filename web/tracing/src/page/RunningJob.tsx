import type { Job } from '@assay/contract/jobs.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatTracesDone, percentDone } from '../parts/job-progress.ts'
import styles from './page.module.css'

interface Props {
  /** What the job is: `Recalculation`. */
  readonly label: string
  /** What it does: `Recalculating`. */
  readonly activity: string
  readonly progress: Job['progress']
  /** Stands for an unknown number of traces: `at most 1,000 traces`. */
  readonly uncounted: string
  /** Absent for people who may not cancel it. */
  readonly onCancel?: (() => void) | undefined
  readonly isCanceling?: boolean
  readonly cancelError?: string | undefined
  /** Results so far, and what a cancellation keeps. */
  readonly children: ReactNode
}

/** The progress of a background job, which continues without the page and across restarts. */
export function RunningJob(props: Props) {
  const { label, activity, progress, uncounted, onCancel, isCanceling, cancelError } = props
  const percent = percentDone(progress)
  return (
    <section className={styles.box} aria-label={label}>
      <div className={styles.boxHead}>
        <span>
          <strong>{activity}</strong>, {formatTracesDone(progress, uncounted)}
        </span>
        {onCancel !== undefined && (
          <Button variant="default" loading={isCanceling === true} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      <Progress value={percent ?? 100} animated={percent === null} aria-label="Traces done" />
      <p className={styles.note}>{props.children}</p>
      <FormError message={cancelError} />
    </section>
  )
}
