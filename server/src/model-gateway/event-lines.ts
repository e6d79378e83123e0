/*
 * The data of server-sent events, from chunks of bytes. Other fields and comments are left out.
 */

export interface EventReader {
  /** The data of the events that the chunk completes. Undefined if a line or an event is longer than the limit. */
  push(chunk: Uint8Array): readonly Uint8Array[] | undefined
  /** What has no blank line after it: some servers leave out the last one. */
  end(): readonly Uint8Array[] | undefined
}

const lf = 0x0a
const cr = 0x0d
const colon = 0x3a
const space = 0x20

export function openEventReader(bytesMax: number): EventReader {
  /** Of a line that has begun. */
  let begun: Uint8Array[] = []
  let begunBytes = 0
  /** Of an event that has begun. */
  let lines: Uint8Array[] = []
  let bytes = 0
  let isAfterCr = false

  const take = () => {
    const data = lines.length === 1 ? (lines[0] as Uint8Array) : joinLines(lines)
    lines = []
    bytes = 0
    return data
  }
  const addLine = (line: Uint8Array, events: Uint8Array[]) => {
    if (line.byteLength === 0) {
      if (lines.length > 0) events.push(take())
      return
    }
    const data = dataOf(line)
    if (data === undefined) return
    bytes += data.byteLength + 1
    lines.push(data)
  }
  return {
    push(chunk) {
      const events: Uint8Array[] = []
      const lineEnd = openLineEnds(chunk)
      let start = isAfterCr && chunk[0] === lf ? 1 : 0
      if (chunk.byteLength > 0) isAfterCr = false
      while (start < chunk.byteLength) {
        const end = lineEnd(start)
        const part = chunk.subarray(start, end)
        begunBytes += part.byteLength
        if (begunBytes + bytes > bytesMax) return undefined
        if (end === chunk.byteLength) {
          begun.push(part)
          break
        }
        addLine(begun.length === 0 ? part : Buffer.concat([...begun, part]), events)
        begun = []
        begunBytes = 0
        start = end + 1
        if (chunk[end] !== cr) continue
        if (start === chunk.byteLength) isAfterCr = true
        else if (chunk[start] === lf) start += 1
      }
      return events
    },

    end() {
      const events: Uint8Array[] = []
      addLine(Buffer.concat(begun), events)
      if (lines.length > 0) events.push(take())
      return events
    },
  }
}

/** Each call starts at a later byte than the one before. Every byte is searched once, however many lines there are. */
function openLineEnds(chunk: Uint8Array): (start: number) => number {
  let nextLf = -1
  return (start) => {
    if (nextLf < start) {
      const found = chunk.indexOf(lf, start)
      nextLf = found === -1 ? chunk.byteLength : found
    }
    const atCr = chunk.subarray(start, nextLf).indexOf(cr)
    return atCr === -1 ? nextLf : start + atCr
  }
}

const dataField = Buffer.from('data')

/** Undefined for comments and other fields. */
function dataOf(line: Uint8Array): Uint8Array | undefined {
  const { length } = dataField
  if (line.byteLength < length || dataField.compare(line, 0, length) !== 0) return undefined
  if (line.byteLength === length) return line.subarray(length)
  if (line[length] !== colon) return undefined
  return line.subarray(length + (line[length + 1] === space ? 2 : 1))
}

function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [Buffer.of(lf), line])))
}
