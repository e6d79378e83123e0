import type { EvaluationJob } from '@assay/contract/jobs.ts'
import { formatCost } from '@assay/ui/number-format.ts'

/*
 * How long an evaluation of many traces takes, and what it costs: from earlier ones with the same evaluators and model.
 */

interface Planned {
  readonly collectionId: string | undefined
  /** Undefined without judges. */
  readonly modelConfigId: string | undefined
  readonly traces: number
  readonly maxCostUsd: number
}

/** As many of the newest runs count; earlier ones may have had other prices and evaluators. */
const comparedRuns = 5

/** `About 40 s, about $0.06, as in earlier runs.` Null without an earlier run to compare with. */
export function formatEstimate(jobs: readonly EvaluationJob[], planned: Planned): string | null {
  const { collectionId, modelConfigId, traces, maxCostUsd } = planned
  const runs = jobs
    .filter(
      ({ state, started_at, finished_at, details }) =>
        state === 'completed' &&
        started_at !== null &&
        finished_at !== null &&
        details.traces_evaluated > 0 &&
        details.collection_id === collectionId &&
        (details.model_config_id ?? undefined) === modelConfigId,
    )
    .slice(0, comparedRuns)
  if (runs.length === 0) return null
  const sum = (of: (job: EvaluationJob) => number) => runs.reduce((all, job) => all + of(job), 0)
  const evaluated = sum(({ details }) => details.traces_evaluated)
  const ms = sum((job) => Date.parse(job.finished_at!) - Date.parse(job.started_at!))
  const time = formatRoughly((ms / evaluated) * traces)
  if (modelConfigId === undefined) return `About ${time}, as in earlier runs.`
  const usd = (sum(({ details }) => details.cost_usd) / evaluated) * traces
  if (usd > maxCostUsd) {
    return `All of them would cost about ${formatCost(usd)}, as in earlier runs: more than the limit.`
  }
  return `About ${time}, about ${formatCost(usd)}, as in earlier runs.`
}

/** `About 3 min left.` Empty before the first trace, and where the number of traces is unknown. */
export function formatTimeLeft({ progress, started_at }: EvaluationJob, nowMs: number): string {
  const { done, total } = progress
  if (total === null || done === 0 || done >= total || started_at === null) return ''
  const elapsedMs = nowMs - Date.parse(started_at)
  return elapsedMs <= 0 ? '' : `About ${formatRoughly((elapsedMs / done) * (total - done))} left.`
}

/** With one unit, because it is an estimate: `40 s`, `3 min`, `2 h`. */
function formatRoughly(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
