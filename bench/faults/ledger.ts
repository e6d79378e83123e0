/*
 * What writers have sent, and which of it was acknowledged.
 */

/** The tokens of every span that writers send, so that the totals of a trace follow from its spans. */
export const tokensPerSpan = 3

export interface SentTrace {
  readonly acknowledged: Set<string>
  /** Batches without an acknowledgement that were not sent again: stored whole or not at all. */
  readonly abandoned: (readonly string[])[]
}

export interface Ledger {
  readonly traces: Map<string, SentTrace>
  readonly counts: {
    acknowledged: number
    acknowledgedSpans: number
    /** Responses with 503. */
    refused: number
    /** Requests on an open connection that ended without a response. */
    reset: number
    /** Connections that were not accepted. */
    unreachable: number
  }
  /** Responses other than an acknowledgement and 503, each with its count. */
  readonly unexpected: Map<string, number>
  /** Of acknowledgements, on the clock of `performance.now`. */
  readonly acknowledgedAt: number[]
  /** How long each response other than an acknowledgement took, in milliseconds. */
  readonly failedAfterMs: number[]
  /** Refusals without `Retry-After`. */
  withoutRetryAfter: number
}

export function newLedger(): Ledger {
  return {
    traces: new Map(),
    counts: { acknowledged: 0, acknowledgedSpans: 0, refused: 0, reset: 0, unreachable: 0 },
    unexpected: new Map(),
    acknowledgedAt: [],
    failedAfterMs: [],
    withoutRetryAfter: 0,
  }
}

export function sentTraceOf(ledger: Ledger, traceId: string): SentTrace {
  const known = ledger.traces.get(traceId)
  if (known !== undefined) return known
  const sent: SentTrace = { acknowledged: new Set(), abandoned: [] }
  ledger.traces.set(traceId, sent)
  return sent
}

/** The first acknowledgement after a time, as milliseconds since then; undefined if there is none yet. */
export function acknowledgedAfterMs(ledger: Ledger, since: number): number | undefined {
  const at = ledger.acknowledgedAt.find((time) => time >= since)
  return at === undefined ? undefined : at - since
}
