import type { AlertEvent, AlertMetric, AlertRule } from '@assay/contract/alerts.ts'
import type { TraceOrder } from '@assay/contract/traces.ts'
import { toTraceSearch } from '../../parts/filter-labels.ts'
import type { TraceSearch } from '../../parts/trace-search.ts'

/*
 * The traces that an alert rule counted when it began to fire.
 */

const minuteMs = 60_000

/** What to look at first. */
const orders: Partial<Record<AlertMetric, TraceOrder>> = {
  latency_p90: '-duration',
  cost_per_day: '-cost',
}

/** Undefined where the event is not about traces: of scores, of missing traces, or when it does not fire. */
export function toFiringTraces(
  rule: Pick<AlertRule, 'metric' | 'window_minutes' | 'filters'>,
  { at, status }: Pick<AlertEvent, 'at' | 'status'>,
): TraceSearch | undefined {
  const { metric, filters } = rule
  if (status !== 'firing' || metric === 'score_mean' || metric === 'no_data') return undefined
  const atMs = Date.parse(at)
  const fromMs =
    metric === 'cost_per_day'
      ? Date.parse(`${at.slice(0, 10)}T00:00:00Z`)
      : atMs - rule.window_minutes * minuteMs
  const order = orders[metric]
  return {
    ...toTraceSearch(filters),
    ...(metric === 'error_rate' ? { status: 'ERROR' } : {}),
    ...(order === undefined ? {} : { order }),
    ...{ from: new Date(fromMs).toISOString(), to: at },
  }
}
