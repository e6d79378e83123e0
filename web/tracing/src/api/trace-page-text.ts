import { ApiError } from '@assay/contract/client.ts'
import type { MetaOf } from '@assay/contract/endpoint.ts'
import type { readTrace } from '@assay/contract/traces.ts'

/** A page of a trace as text. Parsing would change numbers of more than 15 digits, such as ids. */
export interface TracePageText {
  /** Its members and the brace before them, without `spans`. */
  readonly trace: string
  /** The members of the list. */
  readonly spans: string
  readonly meta: MetaOf<typeof readTrace>
}

const marks = { trace: '{"data":', spans: ',"spans":[', meta: ']},"meta":' } as const

/**
 * Splits a response. Within strings, quotes are escaped, so that no other text before the spans is like the mark of
 * these, and none after them like that of `meta`.
 */
export function splitTracePage(text: string): TracePageText {
  const spans = text.indexOf(marks.spans)
  const meta = text.lastIndexOf(marks.meta)
  if (!text.startsWith(marks.trace) || spans === -1 || meta === -1) {
    throw new ApiError(200, 'UNREACHABLE', 'The response is not from the service.')
  }
  return {
    trace: text.slice(marks.trace.length, spans),
    spans: text.slice(spans + marks.spans.length, meta),
    meta: JSON.parse(text.slice(meta + marks.meta.length, -1)) as TracePageText['meta'],
  }
}
