import type { Instant } from './instant.ts'
import type { SpanHead, Trace } from './span.ts'

/*
 * When a trace counts as complete if nothing else of it arrives. Exporters send a span when it has ended, so the root is
 * the last one; a root that never arrives is in a service that does not export here.
 */

/** How long a trace waits for the end of its root after its last change. */
const rootWaitNanos = 10n * 60n * 1_000_000_000n

/** A reader adds how long it waits for late spans. `root` is the span that the trace is named after. */
export function settlesAt(
  root: Pick<SpanHead, 'parentSpanId' | 'startedAt' | 'endedAt'>,
  { endedAt }: Pick<Trace, 'endedAt'>,
  changedAt: Instant,
): Instant {
  const hasEnded = root.endedAt > root.startedAt || root.endedAt === endedAt
  return root.parentSpanId === null && hasEnded ? changedAt : changedAt + rootWaitNanos
}
