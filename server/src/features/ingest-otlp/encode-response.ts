import { limits } from '@assay/contract/limits.ts'
import type { OtlpEncoding } from '../../http/body-encoding.ts'

/*
 * Export…ServiceResponse. Signals differ only in the name of the count. A full success has no
 * partialSuccess: older clients treat any as a failure, even an empty one.
 */

export interface ExportOutcome {
  /** Of spans, data points or log records. */
  readonly rejected: number
  /** Empty when there is nothing to report. */
  readonly errorMessage: string
}

/** The outcome, with the spans that were refused because their trace is full. */
export function withRefusedSpans(outcome: ExportOutcome, refusedSpans: number): ExportOutcome {
  if (refusedSpans === 0) return outcome
  const most = limits.spansPerTrace.value.toLocaleString('en-US')
  const refusal = `Spans not stored: ${refusedSpans}. A trace has at most ${most} spans.`
  const errorMessage = outcome.errorMessage === '' ? refusal : `${outcome.errorMessage} ${refusal}`
  return { rejected: outcome.rejected + refusedSpans, errorMessage }
}

/** The member of the count in the signal's response. */
export type RejectedMember = 'rejectedSpans' | 'rejectedDataPoints' | 'rejectedLogRecords'

export function encodeResponse(
  encoding: OtlpEncoding,
  outcome: ExportOutcome,
  member: RejectedMember = 'rejectedSpans',
): Uint8Array {
  return encoding === 'json' ? jsonResponse(outcome, member) : protobufResponse(outcome)
}

function jsonResponse(
  { rejected, errorMessage }: ExportOutcome,
  member: RejectedMember,
): Uint8Array {
  const partialSuccess = {
    ...(rejected === 0 ? {} : { [member]: String(rejected) }),
    ...(errorMessage === '' ? {} : { errorMessage }),
  }
  const isFull = Object.keys(partialSuccess).length === 0
  return encoder.encode(JSON.stringify(isFull ? {} : { partialSuccess }))
}

const encoder = new TextEncoder()

function protobufResponse({ rejected, errorMessage }: ExportOutcome): Uint8Array {
  const message = encoder.encode(errorMessage)
  const partialSuccess = [
    ...(rejected === 0 ? [] : [rejectedTag, ...varint(rejected)]),
    ...(message.length === 0 ? [] : [errorMessageTag, ...varint(message.length), ...message]),
  ]
  if (partialSuccess.length === 0) return new Uint8Array()
  return Uint8Array.from([partialSuccessTag, ...varint(partialSuccess.length), ...partialSuccess])
}

// Field number times eight, plus 0 for a number and 2 for bytes.
const partialSuccessTag = 8 + 2
const rejectedTag = 8
const errorMessageTag = 16 + 2

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))]
}
