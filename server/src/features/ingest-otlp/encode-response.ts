import type { OtlpEncoding } from '../../http/body-encoding.ts'

/*
 * ExportTraceServiceResponse. Of a full success nothing is said: older clients take any partialSuccess for a
 * failure, an empty one as well.
 */

export interface ExportOutcome {
  readonly rejectedSpans: number
  /** Empty when there is nothing to tell. */
  readonly errorMessage: string
}

export function encodeResponse(encoding: OtlpEncoding, outcome: ExportOutcome): Uint8Array {
  return encoding === 'json' ? jsonResponse(outcome) : protobufResponse(outcome)
}

function jsonResponse({ rejectedSpans, errorMessage }: ExportOutcome): Uint8Array {
  const partialSuccess = {
    ...(rejectedSpans === 0 ? {} : { rejectedSpans: String(rejectedSpans) }),
    ...(errorMessage === '' ? {} : { errorMessage }),
  }
  const isFull = Object.keys(partialSuccess).length === 0
  return encoder.encode(JSON.stringify(isFull ? {} : { partialSuccess }))
}

const encoder = new TextEncoder()

function protobufResponse({ rejectedSpans, errorMessage }: ExportOutcome): Uint8Array {
  const message = encoder.encode(errorMessage)
  const partialSuccess = [
    ...(rejectedSpans === 0 ? [] : [rejectedSpansTag, ...varint(rejectedSpans)]),
    ...(message.length === 0 ? [] : [errorMessageTag, ...varint(message.length), ...message]),
  ]
  if (partialSuccess.length === 0) return new Uint8Array()
  return Uint8Array.from([partialSuccessTag, ...varint(partialSuccess.length), ...partialSuccess])
}

// Field number times eight, plus 0 for a number and 2 for bytes.
const partialSuccessTag = 8 + 2
const rejectedSpansTag = 8
const errorMessageTag = 16 + 2

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))]
}
