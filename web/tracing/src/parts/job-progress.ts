import type { Job } from '@assay/contract/jobs.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount } from '@assay/ui/number-format.ts'

/*
 * The progress of a background job over traces.
 */

type Progress = Job['progress']

/** From 0 to 100; null if the number of traces is unknown. */
export function percentDone({ done, total }: Progress): number | null {
  if (total === null) return null
  return total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))
}

/** `33%: 1 of 3 traces`. `uncounted` stands for an unknown total. */
export function formatTracesDone(progress: Progress, uncounted: string): string {
  const { done, total } = progress
  const percent = percentDone(progress)
  return total === null
    ? `${formatCount(done)} of ${uncounted}`
    : `${percent}%: ${formatCount(done)} of ${countOf(total, 'trace')}`
}
