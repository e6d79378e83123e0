import type { ListedSpan } from '@assay/contract/traces.ts'

/*
 * Which span of a trace says what was said in it. Spans are in the order in which they began.
 */

/** The first span without a parent; where each has one, the first whose parent is not there. */
export function rootOf(spans: readonly ListedSpan[]): ListedSpan | undefined {
  const ids = new Set(spans.map(({ span_id }) => span_id))
  const isOrphan = ({ parent_span_id: parent }: ListedSpan) => parent === null || !ids.has(parent)
  return spans.find(({ parent_span_id }) => parent_span_id === null) ?? spans.find(isOrphan)
}

/** The last call of a model: its messages hold what went before, too. */
export function modelCallOf(spans: readonly ListedSpan[]): ListedSpan | undefined {
  return spans.findLast(({ kind }) => kind === 'llm')
}

/** What the innermost failure says: those round it often only repeat that something failed. */
export function problemOf(spans: readonly ListedSpan[]): string | undefined {
  const failed = spans.filter(
    ({ status, status_message }) => status === 'ERROR' && (status_message ?? '') !== '',
  )
  const parents = new Set(failed.map(({ parent_span_id }) => parent_span_id))
  return failed.find(({ span_id }) => !parents.has(span_id))?.status_message ?? undefined
}
