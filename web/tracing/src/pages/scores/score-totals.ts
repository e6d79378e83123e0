import type { ScoreStats } from '../../api/scores.ts'

type Group = ScoreStats['groups'][number]

/** All scores of one name and source. */
export interface ScoreTotals {
  readonly name: string
  readonly evaluatorId: string | null
  readonly source: Group['source']
  readonly count: number
  readonly failed: number
  readonly mean: number | null
  readonly passRate: number | null
  readonly notApplicable: number
  readonly errors: number
}

export function toTotals({ name, evaluator_id: evaluatorId, source, buckets }: Group): ScoreTotals {
  const sum = (of: (bucket: Group['buckets'][number]) => number) =>
    buckets.reduce((total, bucket) => total + of(bucket), 0)
  const count = sum((bucket) => bucket.count)
  const meanOf = (of: 'mean' | 'pass_rate') =>
    count === 0 ? null : sum((bucket) => (bucket[of] ?? 0) * bucket.count) / count
  return {
    ...{ name, evaluatorId, source, count, mean: meanOf('mean'), passRate: meanOf('pass_rate') },
    failed: sum((bucket) => Math.round((1 - (bucket.pass_rate ?? 1)) * bucket.count)),
    notApplicable: sum((bucket) => bucket.not_applicable),
    errors: sum((bucket) => bucket.errors),
  }
}

const dayMs = 86_400_000

/** The pass rate of each day, over the days that have any. */
export function toTrend({ buckets }: Group) {
  const points = buckets.map(({ started_at, pass_rate }) => ({
    ...{ at: Date.parse(started_at), value: pass_rate },
  }))
  const first = points[0]?.at ?? 0
  const last = points.at(-1)?.at ?? 0
  return { points, frame: { from: first, to: last + dayMs, stepMs: dayMs } }
}

export function formatRate(rate: number): string {
  return `${Math.round(rate * 100)} %`
}
