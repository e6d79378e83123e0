import type { Block, Segment } from './judge.ts'

/*
 * Blocks of bounded size, whatever the size of the trace.
 */

const blockLengthMax = 250_000
/** The heading of a segment. */
const headingLength = 60

/**
 * Long blocks lose their middle, because questions stand at the beginning and conclusions at the end. A gap is mentioned
 * in the title that follows it.
 */
export function toBlock(
  name: string,
  segments: readonly Segment[],
  lengthMax = blockLengthMax,
): Block {
  const total = segments.reduce((sum, one) => sum + lengthOf(one), 0)
  if (total <= lengthMax) return { name, segments }
  const half = Math.floor(lengthMax / 2)
  const start = take(segments, half, (text, length) => wellFormed(text.slice(0, length)))
  const end = take(segments.toReversed(), half, (text, length) =>
    length === 0 ? '' : wellFormed(text.slice(-length)),
  ).reverse()
  const [first, ...others] = end
  const textLength = (all: readonly Segment[]) =>
    all.reduce((sum, { text }) => sum + text.length, 0)
  const left = textLength(segments) - textLength(start) - textLength(end)
  const gap = `${left.toLocaleString('en-US')} characters left out;`
  const afterGap =
    first === undefined ? [] : [{ ...first, title: `${gap} ${first.title ?? 'continued:'}` }]
  return { name, segments: [...start, ...afterGap, ...others] }
}

function lengthOf({ text, title = '', spanId }: Segment): number {
  return headingLength + text.length + title.length + spanId.length
}

function take(
  segments: readonly Segment[],
  lengthMax: number,
  cut: (text: string, length: number) => string,
): Segment[] {
  const taken: Segment[] = []
  let left = lengthMax
  for (const segment of segments) {
    const length = lengthOf(segment)
    if (length > left) {
      const text = cut(segment.text, Math.max(0, left - (length - segment.text.length)))
      if (text !== '') taken.push({ ...segment, text })
      break
    }
    taken.push(segment)
    left -= length
  }
  return taken
}

/** Without half of a character at either end. */
export function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '')
}
