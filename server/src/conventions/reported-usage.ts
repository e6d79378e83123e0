/*
 * The token counts of a span as one convention reports them.
 */

/** How a sender counts, where no other count decides it. */
export interface UsageHabits {
  /** The input excludes cache reads and writes. */
  readonly cacheIsApart?: boolean | undefined
  /** The output excludes reasoning. */
  readonly reasoningIsApart?: boolean | undefined
}

export interface ReportedUsage extends UsageHabits {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly total: number | undefined
  readonly cacheRead: number | undefined
  readonly cacheWrite: number | undefined
  readonly reasoning: number | undefined
  /** The input where it is not reported: senders of buckets leave out the empty ones. */
  readonly impliedInput?: number | undefined
  readonly impliedOutput?: number | undefined
}
