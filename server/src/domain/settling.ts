import type { Instant } from './instant.ts'
import type { SpanHead, Trace, Unfinished } from './span.ts'

/*
 * When a trace counts as complete if nothing else of it arrives. Exporters send a span when it has ended, so the root is
 * the last one; a root that never arrives is in a service that does not export here.
 */

/** How long a trace waits for the end of its root after its last change. */
const rootWaitNanos = 10n * 60n * 1_000_000_000n

/**
 * What a trace still waits for, or null. `root` is the span that the trace is named after, `endedAt` the end of its last
 * span. A JSON batch may have a span without an end, which is stored with that of its start: it is open if something of
 * the trace happened later.
 */
export function findUnfinished(
  root: Pick<SpanHead, 'parentSpanId' | 'startedAt' | 'endedAt'>,
  endedAt: Instant,
): Unfinished | null {
  if (root.parentSpanId !== null) return 'root_missing'
  return root.endedAt > root.startedAt || root.endedAt === endedAt ? null : 'root_open'
}

/** A reader adds how long it waits for late spans. */
export function settlesAt({ unfinished }: Pick<Trace, 'unfinished'>, changedAt: Instant): Instant {
  return unfinished === null ? changedAt : changedAt + rootWaitNanos
}
