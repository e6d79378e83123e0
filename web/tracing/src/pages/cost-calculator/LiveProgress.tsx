import { countOf } from '@assay/ui/count-of.ts'
import { formatCost, formatCount } from '@assay/ui/number-format.ts'
import { Button, Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import type { LiveRun } from '../../api/live-runs.ts'
import page from '../../page/page.module.css'
import { useLiveRuns } from './live-context.ts'

interface Props {
  readonly runId: string
  readonly live: LiveRun
  readonly activity: string
  readonly noun: string
  readonly maxCostUsd?: number | null
  readonly children: ReactNode
}

/** The progress of a stream that this tab has started, with its cost so far. */
export function LiveProgress({ runId, live, activity, noun, maxCostUsd = null, children }: Props) {
  const runs = useLiveRuns()
  const { done, total, costUsd } = live
  return (
    <section className={page.box} aria-label={activity}>
      <div className={page.boxHead}>
        <span role="status">
          <strong>{activity}</strong>, {formatCount(done)} of {countOf(total, noun)}
          {costUsd > 0 && `, ${formatCost(costUsd)} spent`}
          {maxCostUsd !== null && ` of at most ${formatCost(maxCostUsd)}`}
        </span>
        <Button variant="default" onClick={() => runs.stop(runId)}>
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
      <p className={page.note}>{children} It stops when you reload or leave the cost calculator.</p>
    </section>
  )
}
