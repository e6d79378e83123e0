import type { JsonText } from '../../../domain/json-text.ts'
import type { SpanBody } from '../../../domain/span.ts'

/*
 * The seven parts of a body as one text: their lengths, a line break, then the parts. Senders often report
 * messages in an attribute that is also the span's input or output: it is removed from the attributes, and
 * its position follows the lengths.
 */

/** Where the input of a body ends in its bytes, and the output, which follows it. */
export interface ContentRange {
  readonly inputStart: number
  readonly inputEnd: number
  readonly outputEnd: number
}

export function serializeBody(body: SpanBody): string {
  const { input, output, events, links, resource, scope } = body
  const { attributes, offsets } = withoutContent(body)
  const lengths = `${input.length},${output.length},${attributes.length},${events.length},${links.length},${resource.length},${scope.length}`
  return `${lengths}${offsets}\n${input}${output}${attributes}${events}${links}${resource}${scope}`
}

export function parseBody(text: string): SpanBody {
  const headEnd = text.indexOf('\n')
  const numbers = text.slice(0, headEnd).split(',').map(Number)
  let at = headEnd + 1
  const next = (index: number): JsonText => {
    const start = at
    at += numbers[index] ?? 0
    return text.slice(start, at) as JsonText
  }
  const [input, output, attributes] = [next(0), next(1), next(2)]
  return {
    input,
    output,
    attributes: withContent(attributes, [input, output], numbers.slice(partCount)),
    events: next(3),
    links: next(4),
    resource: next(5),
    scope: next(6),
  }
}

const partCount = 7
/** Shorter texts take less space than their position. */
const dedupeLengthMin = 32
const notFound = -1

interface Found {
  readonly start: number
  readonly end: number
}

/** The attributes without strings that equal the input or the output. */
function withoutContent({ input, output, attributes }: SpanBody) {
  const first = findQuoted(input, attributes, 0)
  // At least one character between them, otherwise both would have the same position once they are removed.
  const second =
    findQuoted(output, attributes, first === undefined ? 0 : first.end + 1) ??
    (first && findQuoted(output, attributes.slice(0, Math.max(0, first.start - 1)), 0))
  const found = [first, second]
  if (first === undefined && second === undefined) return { attributes, offsets: '' }
  const inOrder = found.filter((each) => each !== undefined).toSorted((a, b) => a.start - b.start)
  let rest = ''
  let at = 0
  const offsets = new Map<Found, number>()
  for (const each of inOrder) {
    rest += attributes.slice(at, each.start)
    offsets.set(each, rest.length)
    at = each.end
  }
  const findOffset = (each: Found | undefined) => (each && offsets.get(each)) ?? notFound
  return {
    attributes: rest + attributes.slice(at),
    offsets: `,${findOffset(first)},${findOffset(second)}`,
  }
}

function findQuoted(content: string, attributes: string, from: number): Found | undefined {
  if (content.length < dedupeLengthMin || content.length > attributes.length - from)
    return undefined
  // Lone surrogates cannot be encoded in UTF-8 and would be changed.
  if (!content.isWellFormed()) return undefined
  const quoted = JSON.stringify(content)
  const start = attributes.indexOf(quoted, from)
  return start === notFound ? undefined : { start, end: start + quoted.length }
}

function withContent(
  attributes: JsonText,
  contents: readonly JsonText[],
  offsets: readonly number[],
): JsonText {
  const taken = contents.flatMap((content, index) => {
    const offset = offsets[index] ?? notFound
    return offset === notFound ? [] : [{ content, offset }]
  })
  let whole = ''
  let at = 0
  for (const { content, offset } of taken.toSorted((a, b) => a.offset - b.offset)) {
    whole += attributes.slice(at, offset) + JSON.stringify(content)
    at = offset
  }
  return (whole + attributes.slice(at)) as JsonText
}

/** Finds input and output in the UTF-8 bytes of a body without decoding it. */
export function findContentRange(bytes: Buffer, start: number, end: number): ContentRange {
  const headEnd = bytes.indexOf(lineBreak, start)
  const numbers = bytes.toString('latin1', start, headEnd).split(',').map(Number)
  const lengths = numbers.slice(0, partCount)
  const [input = 0, output = 0] = lengths
  const inputStart = headEnd + 1
  const isAscii = inputStart + lengths.reduce((sum, length) => sum + length, 0) === end
  const after = isAscii ? (from: number, units: number) => from + units : afterUnits(bytes)
  const inputEnd = after(inputStart, input)
  return { inputStart, inputEnd, outputEnd: after(inputEnd, output) }
}

const lineBreak = 0x0a

/** Lengths are in UTF-16 code units: two for a four-byte sequence, one for any other. */
function afterUnits(bytes: Buffer): (from: number, units: number) => number {
  return (from, units) => {
    let at = from
    for (let remaining = units; remaining > 0; remaining -= 1) {
      const byte = bytes[at]!
      if (byte < 0x80) at += 1
      else if (byte < 0xe0) at += 2
      else if (byte < 0xf0) at += 3
      else {
        at += 4
        remaining -= 1
      }
    }
    return at
  }
}
