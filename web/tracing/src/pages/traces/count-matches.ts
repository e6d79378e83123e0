import { limits } from '@assay/contract/limits.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount } from '@assay/ui/number-format.ts'

/*
 * How many traces match the filters of the list, as far as the page has already loaded it.
 */

export interface MatchCount {
  readonly count: number
  readonly isExact: boolean
  /** Some of them may be recorded calls of judges, which are not evaluated. */
  readonly hasJudgeCalls?: boolean
}

/**
 * @param loaded the number of loaded traces if there are no others
 * @param total all traces of the mode; null while a filter is set
 */
export function countMatches(
  loaded: number | null,
  total: number | null,
  counted: MatchCount | null,
): MatchCount | null {
  const exact = loaded ?? total
  return exact === null ? counted : { count: exact, isExact: true }
}

export function hasNone(matches: MatchCount | null): boolean {
  return matches?.count === 0 && matches.isExact
}

/** `About 12,345 traces match. The newest 1,000 are evaluated.` Empty if the number is unknown. */
export function formatMatches(
  matches: MatchCount | null,
  scope: 'match' | 'in the project',
  maxTraces: number,
): string {
  if (matches === null) return ''
  if (hasNone(matches)) return `No traces ${scope}. There is nothing to evaluate.`
  const { count, isExact, hasJudgeCalls = false } = matches
  const bound = isExact ? (hasJudgeCalls ? 'At most ' : '') : 'About '
  const number = count === 0 ? 'No traces' : `${bound}${countOf(count, 'trace')}`
  const sentence = `${number} ${scope === 'match' && count === 1 ? 'matches' : scope}.`
  const isLimit = maxTraces >= 1 && maxTraces <= limits.bulkEvaluationTracesMax.value
  if (!isLimit || count <= maxTraces) return sentence
  return `${sentence} The newest ${formatCount(maxTraces)} are evaluated.`
}
