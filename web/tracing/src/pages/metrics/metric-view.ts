import type { MetricSearch } from './metric-search.ts'

/*
 * What every part of the view of a metric is given.
 */

export interface ViewProps {
  readonly projectId: string
  readonly name: string
  readonly search: MetricSearch
  readonly onChange: (next: MetricSearch) => void
}
