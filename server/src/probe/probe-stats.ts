import { estimateQuantile, toLatencyBucket } from '../domain/latency-sketch.ts'

/*
 * The results of a probe, in memory that does not grow with its running time.
 */

export const routes = ['OTLP', 'JSON'] as const
export type Route = (typeof routes)[number]

export const ways = ['by id', 'in the list', 'by search'] as const
export type Way = (typeof ways)[number]

export interface ProbeStats {
  /** Records how long after its acknowledgement a trace was readable this way. */
  observed(route: Route, way: Way, ms: number): void
  written(): void
  /** Not acknowledged, so nothing was promised. */
  refused(): void
  lost(loss: Loss): void
  readonly lossCount: number
  /** The results so far. */
  summary(): ProbeSummary
}

export interface Loss {
  readonly trace_id: string
  readonly route: Route
  readonly way: Way
  readonly written_at: string
}

export interface ProbeSummary {
  readonly acknowledged: number
  readonly refused: number
  readonly lost: number
  /** The first lost traces. */
  readonly losses: readonly Loss[]
  /**
   * Milliseconds from the acknowledgement to the first read that found it; quantiles are within five
   * percent.
   */
  readonly found: readonly FoundTimes[]
}

export interface FoundTimes {
  readonly route: Route
  readonly way: Way
  readonly count: number
  readonly min_ms: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly max_ms: number
}

const listedLosses = 20

export function newProbeStats(): ProbeStats {
  const times = new Map<string, Times>()
  const losses: Loss[] = []
  let [acknowledged, refused, lost] = [0, 0, 0]
  return {
    observed(route, way, ms) {
      const key = `${route} ${way}`
      const known = times.get(key) ?? { counts: new Map(), count: 0, minMs: ms, maxMs: ms }
      times.set(key, withTime(known, ms))
    },
    written: () => void (acknowledged += 1),
    refused: () => void (refused += 1),
    lost(loss) {
      lost += 1
      if (losses.length < listedLosses) losses.push(loss)
    },
    get lossCount() {
      return lost
    },
    summary: () => ({
      ...{ acknowledged, refused, lost, losses: [...losses] },
      found: routes.flatMap((route) =>
        ways.flatMap((way) => {
          const known = times.get(`${route} ${way}`)
          return known === undefined ? [] : [{ route, way, ...toFoundTimes(known) }]
        }),
      ),
    }),
  }
}

interface Times {
  readonly counts: Map<number, number>
  readonly count: number
  readonly minMs: number
  readonly maxMs: number
}

function withTime({ counts, count, minMs, maxMs }: Times, ms: number): Times {
  const bucket = toLatencyBucket(ms)
  counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
  return { counts, count: count + 1, minMs: Math.min(minMs, ms), maxMs: Math.max(maxMs, ms) }
}

function toFoundTimes({ counts, count, minMs, maxMs }: Times): Omit<FoundTimes, 'route' | 'way'> {
  // A quantile is the middle of a bucket, which may exceed the observed range.
  const quantile = (part: number) =>
    rounded(Math.min(maxMs, Math.max(minMs, estimateQuantile(counts, part) ?? minMs)))
  return {
    count,
    min_ms: rounded(minMs),
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    max_ms: rounded(maxMs),
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** The same as text. */
export function summaryLines({
  acknowledged,
  refused,
  lost,
  losses,
  found,
}: ProbeSummary): string[] {
  return [
    `acknowledged ${acknowledged}, refused ${refused}, lost ${lost}`,
    ...found.map(
      ({ route, way, min_ms, p50_ms, p99_ms, max_ms }) =>
        `  ${`${route} ${way}`.padEnd(16)} min ${min_ms} ms, p50 ${p50_ms} ms, p99 ${p99_ms} ms, max ${max_ms} ms`,
    ),
    ...losses.map(
      ({ trace_id, route, way, written_at }) =>
        `  lost: ${trace_id}, written over ${route} at ${written_at}, not found ${way}`,
    ),
  ]
}
