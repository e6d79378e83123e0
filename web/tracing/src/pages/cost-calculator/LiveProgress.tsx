import type { CostRun } from '@assay/contract/cost-runs.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { formatCost, formatCount } from '@assay/ui/number-format.ts'
import { Button, Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCancelRun } from '../../api/cost-runs.ts'
import page from '../../page/page.module.css'
import { useLiveRun, useLiveRuns } from './live-context.ts'

interface Props {
  readonly run: CostRun
  readonly activity: string
  readonly noun: string
  readonly done: number
  readonly total: number
  readonly costUsd?: number
  readonly maxCostUsd?: number | null
  /** What cancellation leaves. */
  readonly children: ReactNode
}

/** The progress of a run, whoever has started it, with its cost so far if that is known. */
export function LiveProgress(props: Props) {
  const { run, activity, noun, done, total, costUsd = 0, maxCostUsd = null, children } = props
  const runs = useLiveRuns()
  const isOwn = useLiveRun(run.id)?.isActive === true
  const { mutate: cancel, isPending, isSuccess, error } = useCancelRun(run.project_id)
  return (
    <section className={page.box} aria-label={activity}>
      <div className={page.boxHead}>
        <span role="status">
          <strong>{activity}</strong>, {formatCount(done)} of {countOf(total, noun)}
          {(costUsd > 0 || maxCostUsd !== null) && `, ${formatCost(costUsd)} spent`}
          {maxCostUsd !== null && ` of at most ${formatCost(maxCostUsd)}`}
        </span>
        <Button
          variant="default"
          loading={isPending || isSuccess}
          // A stream of this page also ends when its connection is closed.
          onClick={() => cancel(run.id, { onError: () => runs.stop(run.id) })}
        >
          Cancel
        </Button>
      </div>
      <Progress value={(100 * done) / Math.max(1, total)} aria-label={`${noun}s done`} />
      {maxCostUsd !== null && maxCostUsd > 0 && (
        <Progress
          value={Math.min(100, (100 * costUsd) / maxCostUsd)}
          color="orange"
          aria-label="Spent of the limit"
        />
      )}
      <FormError message={isOwn ? undefined : error?.message} />
      <p className={page.note}>
        {children}{' '}
        {isOwn
          ? 'It stops when you reload or leave the cost calculator.'
          : 'It was started on another page, and is updated here every few seconds.'}
      </p>
    </section>
  )
}
