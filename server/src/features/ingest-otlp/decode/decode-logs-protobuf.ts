import { limits } from '@assay/contract/limits.ts'
import type { DecodedGroup, DecodedLogRecord } from '../../../conventions/decoded-signals.ts'
import { acceptLogRecord, type LogDraft, newLogDraft } from './accept-record.ts'
import { placed } from './accept-span.ts'
import { tooDeepValue, tooManyRecords } from './bounds.ts'
import { malformed, type Problems } from './problems.ts'
import { readProtobufRequest } from './protobuf-request.ts'
import { itemEnd, readAttribute, readValue, type ValueReading } from './protobuf-values.ts'
import { tag, WireError, WireReader } from './wire-reader.ts'

/*
 * Reads an ExportLogsServiceRequest in protobuf, like decode-protobuf.ts.
 */

interface Reading extends ValueReading {
  readonly problems: Problems
  records: number
}

/** Throws VALIDATION_ERROR for a malformed request; problems of single records are added to `problems`. */
export function decodeLogsProtobuf(
  bytes: Uint8Array,
  problems: Problems,
): DecodedGroup<DecodedLogRecord>[] {
  const wire = new WireReader(bytes)
  const reading: Reading = { wire, problems, items: 0, records: 0, isCut: false }
  return readProtobufRequest(reading, 'ExportLogsServiceRequest', (end) => readRecord(reading, end))
}

function readRecord(reading: Reading, enclosingEnd: number): DecodedLogRecord | undefined {
  const { wire, problems } = reading
  const end = itemEnd(reading, enclosingEnd)
  if (++reading.records > limits.otlpRecords.value) throw tooManyRecords()
  reading.isCut = false
  const draft = newLogDraft()
  try {
    while (wire.at < end) readField(reading, end, draft)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    problems.reject(malformed('Its bytes are not a protobuf LogRecord'), placed(reading.records))
    wire.at = end
    return undefined
  }
  if (!acceptLogRecord(draft, reading.records, problems)) return undefined
  if (reading.isCut) problems.warn(tooDeepValue, placed(reading.records))
  return draft
}

const tags = {
  at: tag.fixed64(1),
  severity: tag.varint(2),
  severityText: tag.bytes(3),
  body: tag.bytes(5),
  attributes: tag.bytes(6),
  droppedAttributes: tag.varint(7),
  flags: tag.fixed32(8),
  traceId: tag.bytes(9),
  spanId: tag.bytes(10),
  observedAt: tag.fixed64(11),
  eventName: tag.bytes(12),
}

function readField(reading: Reading, end: number, draft: LogDraft): void {
  const { wire } = reading
  const field = wire.tag(end)
  if (field === tags.attributes) {
    draft.attributes = readAttribute(reading, end, draft.attributes, 0)
  } else if (field === tags.body) draft.body = readValue(reading, end, 0)
  else if (field === tags.at) draft.at = wire.fixed64(end)
  else if (field === tags.observedAt) draft.observedAt = wire.fixed64(end)
  else if (field === tags.severity) draft.severity = wire.uint32(end)
  else if (field === tags.severityText) draft.severityText = wire.string(end)
  else if (field === tags.traceId) draft.traceId = wire.hex(end)
  else if (field === tags.spanId) draft.spanId = wire.hex(end)
  else if (field === tags.eventName) draft.eventName = wire.string(end)
  else if (field === tags.flags) draft.flags = wire.fixed32(end)
  else if (field === tags.droppedAttributes) draft.droppedAttributesCount = wire.uint32(end)
  else wire.skip(field, end)
}
