import type { JsonText } from '../../../domain/json-text.ts'
import type { SpanBody } from '../../../domain/span.ts'

/*
 * The seven parts of a body as one text: their lengths, a line break, then the parts as they came.
 */

export function bodyTextOf(body: SpanBody): string {
  const { input, output, attributes, events, links, resource, scope } = body
  const lengths = `${input.length},${output.length},${attributes.length},${events.length},${links.length},${resource.length},${scope.length}`
  return `${lengths}\n${input}${output}${attributes}${events}${links}${resource}${scope}`
}

export function bodyOf(text: string): SpanBody {
  const headEnd = text.indexOf('\n')
  const lengths = text.slice(0, headEnd).split(',')
  let at = headEnd + 1
  const next = (index: number): JsonText => {
    const start = at
    at += Number(lengths[index])
    return text.slice(start, at) as JsonText
  }
  return {
    input: next(0),
    output: next(1),
    attributes: next(2),
    events: next(3),
    links: next(4),
    resource: next(5),
    scope: next(6),
  }
}
