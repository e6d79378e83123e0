import type { MetricSearch } from './metric-search.ts'

export interface ViewProps {
  readonly projectId: string
  readonly name: string
  readonly search: MetricSearch
  readonly onChange: (next: MetricSearch) => void
}
