/*
 * Spans, metric data points and log records of a request that are not stored, by reason. The reasons are labels
 * of a metric: a short, fixed list.
 */

export type Signal = 'traces' | 'metrics' | 'logs'

export type RejectionReason =
  /** It cannot be decoded. */
  | 'malformed'
  | 'invalid_id'
  | 'invalid_time'
  /** A name, value or bucket is missing or out of range. */
  | 'invalid_value'
  /** A JSON batch does not match its schema; all of its spans are rejected. */
  | 'invalid_batch'
  | 'trace_full'

export type Rejections = Readonly<Partial<Record<RejectionReason, number>>>

export type CountRejections = (signal: Signal, rejections: Rejections) => void
