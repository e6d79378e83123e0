import type { Instant } from '../../domain/instant.ts'
import type { MetricKind } from '../../domain/metric.ts'
import { InvalidCursor } from '../../platform/failure.ts'
import type { Position } from './port/position.ts'

/*
 * The encoding of positions by the engines. They are decoded on the main thread, before a read is queued.
 */

/** Instants are stored as 64-bit integers. */
export const firstInstant: Instant = -(2n ** 63n)
export const lastInstant: Instant = 2n ** 63n - 1n

/** The nearest one that can be stored, for a bound of a range. */
export function toStoredInstant(instant: Instant): Instant {
  if (instant < firstInstant) return firstInstant
  return instant > lastInstant ? lastInstant : instant
}

/** A trace, span, session, user or log record by its time and its id. */
export interface TimePosition {
  readonly at: Instant
  readonly id: string
}

export interface MetricPosition {
  readonly name: string
  readonly kind: MetricKind
  readonly unit: string
}

export interface PriceablePosition {
  /** When its trace started. */
  readonly startedAt: Instant
  readonly traceId: string
  /** Null: after all spans of the trace. */
  readonly spanId: string | null
}

/** A trace by its score, then by its number. */
export interface ValuePosition {
  readonly value: number
  readonly traceNo: number
}

/** A trace in a sorted list of those that started at an instant or later. */
export interface SortedPosition extends ValuePosition {
  readonly from: Instant | undefined
}

/** A trace by the time of a score, then by its number. */
export interface ScoredPosition {
  readonly at: Instant
  readonly traceNo: number
}

/** A query with its position decoded. */
export type At<P, Query> = Omit<Query, 'after'> & { readonly after?: P }

export function decodeAfter<P, Query extends { readonly after?: Position }>(
  { after, ...query }: Query,
  decode: (position: Position) => P,
): At<P, Query> {
  return after === undefined ? query : { ...query, after: decode(after) }
}

export function encodeTime({ at, id }: TimePosition): Position {
  return `${at} ${id}`
}

export function decodeTime(position: Position): TimePosition {
  const [, at = '', id = ''] = /^(-?\d{1,19}) (.*)$/su.exec(position) ?? []
  return { at: parseInstant64(at), id }
}

export function encodeMetric({ name, kind, unit }: MetricPosition): Position {
  return JSON.stringify({ name, kind, unit })
}

export function decodeMetric(position: Position): MetricPosition {
  const { name, kind, unit } = parseObject(position)
  if (!isText(name) || !isText(kind) || !isText(unit)) throw new InvalidCursor()
  return { name, kind: kind as MetricKind, unit }
}

export function encodePriceable({ startedAt, traceId, spanId }: PriceablePosition): Position {
  return JSON.stringify({ startedAt: String(startedAt), traceId, spanId })
}

export function decodePriceable(position: Position): PriceablePosition {
  const { startedAt, traceId, spanId } = parseObject(position)
  if (!isText(startedAt) || !isText(traceId)) throw new InvalidCursor()
  if (spanId !== null && !isText(spanId)) throw new InvalidCursor()
  return { startedAt: parseInstant64(startedAt), traceId, spanId }
}

export function encodeValue({ value, traceNo }: ValuePosition): Position {
  return `${value} ${traceNo}`
}

export function decodeValue(position: Position): ValuePosition {
  const [value = Number.NaN, traceNo, rest] = position.split(' ').map(Number)
  if (!Number.isFinite(value) || !Number.isSafeInteger(traceNo) || rest !== undefined) {
    throw new InvalidCursor()
  }
  return { value, traceNo: traceNo! }
}

export function encodeSorted({ from, ...position }: SortedPosition): Position {
  return `${encodeValue(position)} from ${from ?? ''}`
}

export function decodeSorted(position: Position): SortedPosition {
  const [, value = '', from = ''] = /^(\S+ \d+) from (-?\d*)$/.exec(position) ?? []
  return { ...decodeValue(value), from: from === '' ? undefined : parseInstant64(from) }
}

export function encodeScored({ at, traceNo }: ScoredPosition): Position {
  return `${at} ${traceNo}`
}

export function decodeScored(position: Position): ScoredPosition {
  const [, at = '', traceNo = ''] = /^(-?\d+) (\d+)$/.exec(position) ?? []
  return { at: parseInstant64(at), traceNo: decodeNumber(traceNo) }
}

export function encodeNumber(position: number): Position {
  return String(position)
}

export function decodeNumber(position: Position): number {
  if (!/^\d{1,15}$/.test(position)) throw new InvalidCursor()
  return Number(position)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function parseObject(position: Position): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(position)
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new InvalidCursor()
}

export function parseInstant64(digits: string): Instant {
  if (!/^-?\d{1,19}$/.test(digits)) throw new InvalidCursor()
  const instant = BigInt(digits)
  if (BigInt.asIntN(64, instant) !== instant) throw new InvalidCursor()
  return instant
}
