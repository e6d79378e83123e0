import type { JsonText } from '../../../domain/json-text.ts'
import type { SpanBody } from '../../../domain/span.ts'

/*
 * The seven parts of a body as one text: their lengths, a line break, then the parts as they came.
 */

/** Where in the bytes of a body its input ends, and its output, which follows. */
export interface ContentPlace {
  readonly inputStart: number
  readonly inputEnd: number
  readonly outputEnd: number
}

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

/** Finds input and output in the UTF-8 of a body, without making a string of it. */
export function contentPlaceOf(bytes: Buffer, start: number, end: number): ContentPlace {
  const headEnd = bytes.indexOf(lineBreak, start)
  const lengths = bytes.toString('latin1', start, headEnd).split(',').map(Number)
  const [input = 0, output = 0] = lengths
  const inputStart = headEnd + 1
  const isAscii = inputStart + lengths.reduce((sum, length) => sum + length, 0) === end
  const after = isAscii ? (from: number, units: number) => from + units : afterUnits(bytes)
  const inputEnd = after(inputStart, input)
  return { inputStart, inputEnd, outputEnd: after(inputEnd, output) }
}

const lineBreak = 0x0a

/** Lengths count the units of UTF-16: two of them for what is four bytes long, one for all else. */
function afterUnits(bytes: Buffer): (from: number, units: number) => number {
  return (from, units) => {
    let at = from
    for (let left = units; left > 0; left -= 1) {
      const byte = bytes[at]!
      if (byte < 0x80) at += 1
      else if (byte < 0xe0) at += 2
      else if (byte < 0xf0) at += 3
      else {
        at += 4
        left -= 1
      }
    }
    return at
  }
}
