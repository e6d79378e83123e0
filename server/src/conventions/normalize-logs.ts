import { limits } from '@assay/contract/limits.ts'
import { type JsonText, toStorableText } from '../domain/json-text.ts'
import type { LogRecord } from '../domain/log-record.ts'
import { membersJson, valueJson } from './attribute-json.ts'
import { readAnswer } from './coding-agents.ts'
import type { DecodedGroup, DecodedLogRecord } from './decoded-signals.ts'
import { readContent, readEventName } from './log-content.ts'
import { readResourceAndScope } from './resource-and-scope.ts'

/*
 * From decoded log records to those of the domain.
 */

export function normalizeLogs(groups: readonly DecodedGroup<DecodedLogRecord>[]): LogRecord[] {
  return groups.flatMap((group) => {
    const { service, resource, scope } = readResourceAndScope(group)
    return group.items.map((record) => ({
      at: record.at,
      observedAt: record.observedAt === 0n ? null : record.observedAt,
      severity: record.severity,
      severityText: shortened(record.severityText),
      eventName: shortened(readEventName(record)),
      ...toContent(record, group.scope.name),
      service: shortened(service ?? ''),
      body: valueJson(record.body),
      attributes: serializeAttributes(record),
      resource,
      scope,
    }))
  })
}

/** The span that the record belongs to, and what it has of its input and output. */
function toContent(
  record: DecodedLogRecord,
  scope: string,
): Pick<LogRecord, 'traceId' | 'spanId' | 'content'> {
  const { traceId, spanId } = record
  const content = spanId === '' ? null : readContent(record, readEventName(record))
  return readAnswer(record, scope) ?? { traceId: traceId || null, spanId: spanId || null, content }
}

function serializeAttributes({ attributes, droppedAttributesCount }: DecodedLogRecord): JsonText {
  const members = membersJson(attributes)
  if (droppedAttributesCount === 0) return `{${members}}` as JsonText
  return `{${members}${members === '' ? '' : ','}"otel.dropped_attributes_count":${droppedAttributesCount}}` as JsonText
}

function shortened(text: string): string | null {
  return text === '' ? null : toStorableText(text.slice(0, limits.eventNameLength.value))
}
