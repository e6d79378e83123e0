import { limits } from '@assay/contract/limits.ts'
import type { DecodedGroup, DecodedLogRecord } from '../../../conventions/decoded-signals.ts'
import { acceptLogRecord, type LogDraft, newLogDraft } from './accept-record.ts'
import { placed } from './accept-span.ts'
import { tooDeepValue, tooManyRecords } from './bounds.ts'
import { type JsonNames, readJsonRequest } from './json-request.ts'
import {
  isObject,
  type JsonObject,
  parseCount,
  parseEnum,
  parseId,
  parseInstant,
  parseText,
  ShapeError,
} from './json-shapes.ts'
import { type Cut, parseAttributes, parseValue } from './json-values.ts'
import { malformed, type Problems } from './problems.ts'

/*
 * Reads an ExportLogsServiceRequest in OTLP's JSON form.
 */

/** Throws VALIDATION_ERROR for a malformed request; problems of single records are added to `problems`. */
export function decodeLogsJson(
  bytes: Uint8Array,
  problems: Problems,
): DecodedGroup<DecodedLogRecord>[] {
  let records = 0
  return readJsonRequest(bytes, names, problems, (item) => parseRecord(item, ++records, problems))
}

const names: JsonNames = {
  resources: 'resourceLogs',
  scopes: 'scopeLogs',
  oldScopes: 'instrumentationLibraryLogs',
  items: 'logRecords',
}

function parseRecord(
  item: unknown,
  place: number,
  problems: Problems,
): DecodedLogRecord | undefined {
  if (place > limits.otlpRecords.value) throw tooManyRecords()
  const draft = newLogDraft()
  const cut: Cut = { isCut: false }
  try {
    if (!isObject(item)) throw new ShapeError('a log record', 'an object')
    readRecord(item, draft, cut)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    problems.reject(malformed(`In a log record, ${error.message}`), placed(place))
    return undefined
  }
  if (!acceptLogRecord(draft, place, problems)) return undefined
  if (cut.isCut) problems.warn(tooDeepValue, placed(place))
  return draft
}

function readRecord(record: JsonObject, draft: LogDraft, cut: Cut): void {
  draft.at = parseInstant(record['timeUnixNano'], 'timeUnixNano')
  draft.observedAt = parseInstant(record['observedTimeUnixNano'], 'observedTimeUnixNano')
  draft.severity = parseEnum(record['severityNumber'], severityNames)
  draft.severityText = parseText(record['severityText'], 'severityText')
  draft.body = parseValue(record['body'], cut, 0)
  draft.attributes = parseAttributes(record['attributes'], 'attributes', cut)
  draft.droppedAttributesCount = parseCount(record['droppedAttributesCount'])
  draft.flags = parseCount(record['flags'])
  draft.traceId = parseId(record['traceId'])
  draft.spanId = parseId(record['spanId'])
  draft.eventName = parseText(record['eventName'], 'eventName')
}

const severityNames = [
  'SEVERITY_NUMBER_UNSPECIFIED',
  ...['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((level) =>
    ['', '2', '3', '4'].map((step) => `SEVERITY_NUMBER_${level}${step}`),
  ),
]
