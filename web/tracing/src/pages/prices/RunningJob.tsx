import type { RepricingJob } from '@assay/contract/jobs.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, Progress } from '@mantine/core'
import { useCancelRepricing } from '../../api/repricing.ts'
import styles from './prices.module.css'
import { formatRepricingResult, formatTracesDone, percentDone } from './repricing-format.ts'

interface Props {
  readonly projectId: string
  readonly job: RepricingJob
  readonly canCancel: boolean
}

/** The progress of a recalculation, which continues without the page and across restarts. */
export function RunningJob({ projectId, job, canCancel }: Props) {
  const canceling = useCancelRepricing(projectId)
  const { details } = job
  const percent = percentDone(details)
  return (
    <section className={styles.box} aria-label="Recalculation">
      <div className={styles.boxHead}>
        <span>
          <strong>Recalculating</strong>, {formatTracesDone(details)}
        </span>
        {canCancel && (
          <Button
            variant="default"
            loading={canceling.isPending}
            onClick={() => canceling.mutate(job.id)}
          >
            Cancel
          </Button>
        )}
      </div>
      <Progress value={percent ?? 100} animated={percent === null} aria-label="Traces done" />
      <p className={styles.message}>
        {details.spans_examined > 0 && formatRepricingResult(details)} It continues when you leave
        this page. If you cancel it, completed changes are kept.
      </p>
      <FormError message={canceling.error?.message} />
    </section>
  )
}
