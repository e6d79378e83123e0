import { textOf } from '../../domain/trace-view/canonical-json.ts'
import type { ToolCall, ViewSpan } from '../../domain/trace-view/trace-view.ts'
import type { Evidence } from '../evaluator.ts'
import { isQuoteOf, quoteValue } from '../verdicts.ts'

/** Results have no more quotes than these, and finding one reads the whole span. */
const quotedMax = 20

/** A quote for each of the first calls: the value if the span of the call contains it, else the name of the span. */
export function quoteCalls(
  calls: readonly ToolCall[],
  valueOf: (call: ToolCall) => unknown,
): readonly Evidence[] {
  return calls.slice(0, quotedMax).map((call) => quoteIn(call.span, valueOf(call)))
}

export function quoteIn(span: ViewSpan, value: unknown): Evidence {
  const quote = quoteValue(span, value)
  return textOf(value) !== '' && isQuoteOf(span, quote.quote)
    ? quote
    : { spanId: span.spanId, quote: span.name }
}
