import type { ListedSpan } from '@assay/contract/traces.ts'

/*
 * Selects the span that represents a trace in a session. Spans are in order of their start.
 */

/** The first span without a parent, otherwise the first orphan. */
export function findRoot(spans: readonly ListedSpan[]): ListedSpan | undefined {
  const ids = new Set(spans.map(({ span_id }) => span_id))
  const isOrphan = ({ parent_span_id: parent }: ListedSpan) => parent === null || !ids.has(parent)
  return spans.find(({ parent_span_id }) => parent_span_id === null) ?? spans.find(isOrphan)
}

/** The last model call: its messages include the history. */
export function findModelCall(spans: readonly ListedSpan[]): ListedSpan | undefined {
  return spans.findLast(({ kind }) => kind === 'llm')
}

/** The message of the innermost failed span; outer ones are often generic. */
export function findProblem(spans: readonly ListedSpan[]): string | undefined {
  const failed = spans.filter(
    ({ status, status_message }) => status === 'ERROR' && (status_message ?? '') !== '',
  )
  const parents = new Set(failed.map(({ parent_span_id }) => parent_span_id))
  return failed.find(({ span_id }) => !parents.has(span_id))?.status_message ?? undefined
}
