import type { JsonText } from './json-text.ts'
import type { SpanContent } from './log-record.ts'
import type { SpanBody } from './span.ts'

/*
 * Span contents that arrived as log records. Either may arrive first, so they are merged whenever the span
 * is read.
 */

/** Whether input or output is empty, so that log records may fill it. */
export function isFillable({ input, output }: Pick<SpanBody, 'input' | 'output'>): boolean {
  return isEmpty(input) || isEmpty(output)
}

/**
 * The body with empty input and output filled from the records, which are in order. Existing values are
 * unchanged.
 */
export function filledBody(body: SpanBody, contents: readonly SpanContent[]): SpanBody {
  const input = isEmpty(body.input) ? joined(contents.map((each) => each.input)) : undefined
  const output = isEmpty(body.output) ? joined(contents.map((each) => each.output)) : undefined
  return { ...body, ...(input && { input }), ...(output && { output }) }
}

function isEmpty(json: JsonText): boolean {
  return json.length < 16 && /^\s*(?:\{\s*\}|\[\s*\]|""|null)\s*$/.test(json)
}

function joined(lists: readonly (JsonText | null)[]): JsonText | undefined {
  const items = lists
    .map((list) => list?.trim().slice(1, -1).trim() ?? '')
    .filter((text) => text !== '')
  return items.length === 0 ? undefined : (`[${items.join(',')}]` as JsonText)
}
