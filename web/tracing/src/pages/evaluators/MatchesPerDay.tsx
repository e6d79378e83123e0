import { judgeCallTag } from '@assay/contract/bulk-evaluations.ts'
import type { RuleFilters } from '@assay/contract/evaluation-rules.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Histogram, histogramQuery } from '../../api/histogram.ts'
import page from '../../page/page.module.css'
import { formatMatchesPerDay, matchedDays } from './rule-values.ts'

interface Props {
  readonly projectId: string
  readonly filters: RuleFilters
  /** NaN while it is no share. */
  readonly sampleRate: number
}

const debounceMs = 400
const dayMs = 86_400_000

/** How many traces of the last days a rule would have evaluated. */
export function MatchesPerDay({ projectId, filters, sampleRate }: Props) {
  const [settled] = useDebouncedValue(JSON.stringify(filters), debounceMs)
  const stored = JSON.parse(settled) as RuleFilters
  const tags = [stored.tag ?? []].flat()
  const all = useQuery(
    histogramQuery(projectId, ['rule', settled], (nowMs) => ({ ...stored, from: start(nowMs) })),
  )
  // Recorded calls of judges match as well, and are never evaluated.
  const judgeCalls = useQuery({
    ...histogramQuery(projectId, ['rule', 'judges', settled], (nowMs) => ({
      ...{ ...stored, mode: 'simulation' as const, from: start(nowMs) },
      tag: [...tags, judgeCallTag],
    })),
    enabled: stored.mode !== 'live',
  })
  if (all.data === undefined || (judgeCalls.isPending && judgeCalls.isEnabled)) return null
  const excluded = stored.mode === 'live' ? 0 : countOf(judgeCalls.data)
  const days = all.data.is_complete
    ? matchedDays
    : daysSince(all.data.complete_from, all.dataUpdatedAt)
  const rate = Number.isNaN(sampleRate) ? 1 : sampleRate
  return (
    <p className={page.note} role="status">
      {formatMatchesPerDay(Math.max(0, countOf(all.data) - excluded), days, rate)}
    </p>
  )
}

function start(nowMs: number): string {
  return new Date(nowMs - matchedDays * dayMs).toISOString()
}

function daysSince(completeFrom: string, nowMs: number): number {
  return Math.max(1 / 24, (nowMs - Date.parse(completeFrom)) / dayMs)
}

function countOf(histogram: Histogram | undefined): number {
  return histogram?.buckets.reduce((sum, { trace_count }) => sum + trace_count, 0) ?? 0
}
