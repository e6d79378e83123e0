import { type DecodedSpan, noAttributes } from '../../../conventions/decoded-span.ts'
import { lastInstant } from '../../../domain/instant.ts'
import type { Problems, RejectedItem } from './problems.ts'

/*
 * Which spans are stored, and their defaults: the rules for both encodings.
 */

/** A span while it is being read. Ids are hexadecimal in lower case; invalid ones are empty or of another length. */
export type SpanDraft = {
  -readonly [Member in keyof DecodedSpan]: DecodedSpan[Member] extends readonly (infer Item)[]
    ? Item[]
    : DecodedSpan[Member]
}

export function newDraft(): SpanDraft {
  return {
    traceId: '',
    spanId: '',
    parentSpanId: '',
    traceState: '',
    flags: 0,
    name: '',
    kind: 0,
    startedAt: 0n,
    endedAt: 0n,
    misplacedEnd: 0n,
    attributes: noAttributes,
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    links: [],
    droppedLinksCount: 0,
    statusCode: 0,
    statusMessage: '',
  }
}

/**
 * Completes a draft that has been read. A missing start or end is replaced by the other; an end before the
 * start is moved to it; an event time out of range is dropped; an all-zero parent id means a root, and one
 * of the wrong length is dropped. Returns false if the span is not stored; `problems` then has the reason.
 * `place` identifies a span without an id.
 */
export function acceptSpan(draft: SpanDraft, place: number, problems: Problems): boolean {
  const problem = problemOfSpan(draft)
  if (problem !== undefined) {
    problems.reject(problem, isSpanId(draft.spanId) ? draft.spanId : placed(place))
    return false
  }
  if (draft.startedAt === 0n) draft.startedAt = draft.endedAt
  if (draft.endedAt === 0n) draft.endedAt = draft.startedAt
  if (draft.endedAt < draft.startedAt) {
    problems.warn('The end is before the start', draft.spanId)
    draft.misplacedEnd = draft.endedAt
    draft.endedAt = draft.startedAt
  }
  for (const [index, event] of draft.events.entries()) {
    if (event.at <= lastInstant) continue
    problems.warn('The time of an event is outside the years 1970 to 2261', draft.spanId)
    draft.events[index] = { ...event, at: 0n }
  }
  if (draft.parentSpanId !== '' && !isSpanId(draft.parentSpanId)) {
    if (draft.parentSpanId !== noSpanId)
      problems.warn('The parent span id is not 8 bytes', draft.spanId)
    draft.parentSpanId = ''
  }
  return true
}

/** The label of an item without a usable id: its position in the request, counted from 1. */
export function placed(place: number): string {
  return `no. ${place}`
}

function problemOfSpan(draft: SpanDraft): RejectedItem | undefined {
  const { traceId, spanId, startedAt, endedAt } = draft
  if (!isTraceId(traceId)) {
    return { reason: 'invalid_id', sentence: 'The trace id is missing, all zero or not 16 bytes' }
  }
  if (!isSpanId(spanId)) {
    return { reason: 'invalid_id', sentence: 'The span id is missing, all zero or not 8 bytes' }
  }
  if (startedAt === 0n && endedAt === 0n) {
    return { reason: 'invalid_time', sentence: 'Both start and end time are missing' }
  }
  return startedAt > lastInstant || endedAt > lastInstant ? timeOutOfRange : undefined
}

export const timeOutOfRange: RejectedItem = {
  reason: 'invalid_time',
  sentence: 'A time is outside the years 1970 to 2261',
}

export function isTraceId(id: string): boolean {
  return id.length === noTraceId.length && id !== noTraceId
}

export function isSpanId(id: string): boolean {
  return id.length === noSpanId.length && id !== noSpanId
}

const noTraceId = '0'.repeat(32)
const noSpanId = '0'.repeat(16)
