import type { ViewSpan } from '../../domain/trace-view/trace-view.ts'

/**
 * Visits each span below its parent. `visit` gets how many spans from the root down to this one have its key, which is at
 * least 1; spans without a key are not counted. Spans in a circle of parents are not reached.
 */
export function countOnPaths(
  spans: readonly ViewSpan[],
  keyOf: (span: ViewSpan) => string | undefined,
  visit: (span: ViewSpan, count: number) => void,
): void {
  const children = Map.groupBy(spans, ({ parentSpanId }) => parentSpanId ?? '')
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const onPath = new Map<string, number>()
  const stack: (ViewSpan | { readonly leave: string })[] = spans.filter(
    ({ parentSpanId }) => parentSpanId === null || !ids.has(parentSpanId),
  )
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if ('leave' in next) {
      onPath.set(next.leave, onPath.get(next.leave)! - 1)
      continue
    }
    const key = keyOf(next)
    if (key !== undefined) {
      const count = (onPath.get(key) ?? 0) + 1
      onPath.set(key, count)
      visit(next, count)
      stack.push({ leave: key })
    }
    for (const child of children.get(next.spanId) ?? []) stack.push(child)
  }
}
