import { textOf } from '../../domain/trace-view/canonical-json.ts'
import type { ToolCall, TraceView } from '../../domain/trace-view/trace-view.ts'
import { cutMiddle } from './fenced-data.ts'
import type { Segment } from './judge.ts'

/*
 * A whole trace as text for a judge. Long traces are condensed: repeated texts are left out, results of tools are cut in the
 * middle, and messages, errors and arguments of tools stay whole up to 100,000 characters.
 */

/** About 1,200 tokens. */
const resultLengthMax = 4800
/** About 40,000 tokens. */
const lengthMax = 160_000
const shortResultLengthMax = 400
/** Of anything else. */
const textLengthMax = 100_000
const base64 = /(?:data:[\w./+-]+;base64,)?[A-Za-z0-9+/]{400,}={0,2}/g

/** In the order of time. */
export function traceSegments(trace: TraceView): Segment[] {
  const whole = condensed(trace, resultLengthMax)
  const length = whole.reduce((sum, { text }) => sum + text.length, 0)
  return length <= lengthMax ? whole : condensed(trace, shortResultLengthMax)
}

function condensed(trace: TraceView, resultMax: number): Segment[] {
  const seen = new Set<string>()
  const segments: Segment[] = []
  const add = (spanId: string, title: string, text: string) => {
    const plain = cutMiddle(text, textLengthMax).replaceAll(base64, '[binary data]')
    if (plain.trim() === '') return
    const isRepeated = plain.length > 80 && seen.has(plain)
    seen.add(plain)
    segments.push(
      isRepeated
        ? { spanId, title: `${title} (as before)`, text: '' }
        : { spanId, title, text: plain },
    )
  }
  for (const { role, text, spanId } of trace.messages.filter((one) => one.role !== 'tool')) {
    add(spanId, `${role}:`, text)
  }
  for (const call of trace.toolCalls) {
    const { spanId } = call.span
    add(spanId, `tool call ${call.name}:`, textOf(call.input))
    add(
      spanId,
      `${resultTitle(call)} of ${call.name}:`,
      cutMiddle(call.error ?? textOf(call.output), resultMax),
    )
  }
  for (const { span, query, items } of trace.retrievals) {
    add(span.spanId, 'query of a retrieval:', query)
    for (const { id, text } of items) {
      add(span.spanId, `retrieved item ${id}:`, cutMiddle(text, resultMax))
    }
  }
  for (const { span, operation, key, value } of trace.memoryOperations) {
    add(span.spanId, `memory ${operation} ${key}:`, cutMiddle(textOf(value), resultMax))
  }
  for (const { span, message } of trace.errors) add(span.spanId, `error in ${span.name}:`, message)
  if (trace.output !== undefined) add(trace.output.spanId, 'final answer:', trace.output.text)
  return segments
}

function resultTitle({ error }: ToolCall): string {
  return error === undefined ? 'result' : 'error'
}
