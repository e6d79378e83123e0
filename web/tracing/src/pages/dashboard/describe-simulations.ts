import { countOf } from '@assay/ui/count-of.ts'
import type { Stats } from '../../api/stats.ts'
import { formatAggregateCost } from './measures.ts'
import { sumBuckets } from './stats-series.ts'

/** Undefined for none. */
export function describeSimulations(simulations: Stats): string | undefined {
  const total = sumBuckets(simulations)
  if (total.count === 0) return undefined
  const end = total.count === 1 ? 'is not included' : 'are not included'
  return `${countOf(total.count, 'simulated trace')}, for example calls of judges, cost ${formatAggregateCost(total)} in this time range and ${end}.`
}
