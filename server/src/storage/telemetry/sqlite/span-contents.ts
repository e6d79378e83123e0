import type { DatabaseSync } from 'node:sqlite'
import type { JsonText } from '../../../domain/json-text.ts'
import { filledBody, isFillable } from '../../../domain/span-content.ts'
import { parseBody, serializeBody } from './body-text.ts'
import { prepareRows, readRows } from './database.ts'
import { readSpanId, type SpanRow } from './span-columns.ts'
import { contentOfSpan, hasContent } from './statements/logs.ts'

/** The bodies of spans, with empty contents filled from log records; fewer when they exceed `maxBytes`. */
export type FillBodies = (
  trace: { readonly projectId: string; readonly traceId: string },
  spans: readonly SpanRow[],
  bodies: readonly string[],
  maxBytes: number,
) => readonly string[]

type ContentRow = readonly [input: JsonText | null, output: JsonText | null]

export function openSpanContent(db: DatabaseSync): FillBodies {
  const isThere = prepareRows(db, hasContent)
  const ofSpan = prepareRows(db, contentOfSpan)
  return ({ projectId, traceId }, spans, bodies, maxBytes) => {
    if (isThere.get({ projectId, traceId }) === undefined) return bodies
    const filled: string[] = []
    let bytes = 0
    for (const [index, text] of bodies.entries()) {
      const body = parseBody(text)
      const span = spans[index]
      const spanId = span === undefined ? '' : readSpanId(span)
      const rows: ContentRow[] = isFillable(body)
        ? readRows(ofSpan, { projectId, traceId, spanId })
        : []
      const contents = rows.map(([input, output]) => ({ input, output }))
      const whole = contents.length === 0 ? text : serializeBody(filledBody(body, contents))
      bytes += whole.length
      if (index > 0 && bytes > maxBytes) return filled
      filled.push(whole)
    }
    return filled
  }
}
