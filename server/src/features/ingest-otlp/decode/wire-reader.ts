/*
 * The protobuf wire format, one value at a time, independent of messages.
 */

/** The bytes are not protobuf. The message has the position and the problem, never the bytes. */
export class WireError extends Error {
  constructor(problem: string, at: number) {
    super(`${problem} at byte ${at}`)
    this.name = 'WireError'
  }
}

const varint = 0
const fixed64 = 1
const lengthDelimited = 2
const startGroup = 3
const endGroup = 4
const fixed32 = 5

const maxGroupDepth = 100

/** The tag of a field on the wire: its number and wire type. */
export const tag = {
  varint: (field: number) => field * 8 + varint,
  fixed64: (field: number) => field * 8 + fixed64,
  bytes: (field: number) => field * 8 + lengthDelimited,
  fixed32: (field: number) => field * 8 + fixed32,
}

/** A cursor in a buffer. Every read stays below the given `end`, the end of the enclosing message. */
export class WireReader {
  at = 0
  readonly length: number
  readonly #bytes: Buffer
  readonly #view: DataView
  /** The low and the high half of the last varint, unsigned. */
  #low = 0
  #high = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.length = bytes.byteLength
  }

  /** The tag of the next field, as from `tag`. */
  tag(end: number): number {
    const start = this.at
    const value = this.uint32(end)
    if (this.#high !== 0 || value < 8) throw new WireError('No field', start)
    return value
  }

  /** The end of the length-delimited value that starts here. */
  lengthEnd(end: number): number {
    const start = this.at
    const size = this.uint32(end)
    if (this.#high !== 0 || size > end - this.at) throw new WireError('A length too long', start)
    return this.at + size
  }

  bool(end: number): boolean {
    this.#readVarint(end)
    return this.#low !== 0 || this.#high !== 0
  }

  /** The low 32 bits; higher bits are dropped, as in protobuf. */
  uint32(end: number): number {
    const first = this.#bytes[this.at] as number
    if (first < 0x80 && this.at < end) {
      this.at++
      this.#high = 0
      return first
    }
    this.#readVarint(end)
    return this.#low
  }

  /** Exact: a number where that is safe, else a bigint. */
  int64(end: number): number | bigint {
    this.#readVarint(end)
    const low = this.#low
    const high = this.#high | 0
    const value = high * 0x1_0000_0000 + low
    if (Number.isSafeInteger(value)) return value
    return (BigInt(high) << 32n) | BigInt(low)
  }

  /** An unsigned 64-bit count, rounded to a number. */
  count(end: number): number {
    this.#readVarint(end)
    return this.#high * 0x1_0000_0000 + this.#low
  }

  /** 32 bits in zigzag encoding. */
  sint32(end: number): number {
    const value = this.uint32(end)
    return (value >>> 1) ^ -(value & 1)
  }

  fixed64(end: number): bigint {
    return this.#view.getBigUint64(this.#take(8, end), true)
  }

  /** Signed, rounded to a number. */
  sfixed64(end: number): number {
    return Number(this.#view.getBigInt64(this.#take(8, end), true))
  }

  fixed32(end: number): number {
    return this.#view.getUint32(this.#take(4, end), true)
  }

  double(end: number): number {
    return this.#view.getFloat64(this.#take(8, end), true)
  }

  /** Bytes that are not UTF-8 become U+FFFD. */
  string(end: number): string {
    const stop = this.lengthEnd(end)
    const text = this.#bytes.toString('utf8', this.at, stop)
    this.at = stop
    return text
  }

  /** Lower-case hexadecimal. Values longer than any id are not read in full, but remain invalid. */
  hex(end: number): string {
    const stop = this.lengthEnd(end)
    const text = this.#bytes.toString('hex', this.at, Math.min(stop, this.at + 64))
    this.at = stop
    return text
  }

  /** A window into the buffer. */
  bytes(end: number): Uint8Array {
    const stop = this.lengthEnd(end)
    const window = this.#bytes.subarray(this.at, stop)
    this.at = stop
    return window
  }

  /** Skips an unread field, including groups. */
  skip(fieldTag: number, end: number): void {
    const type = fieldTag & 7
    if (type === varint) this.#readVarint(end)
    else if (type === fixed64) this.#take(8, end)
    else if (type === lengthDelimited) this.at = this.lengthEnd(end)
    else if (type === fixed32) this.#take(4, end)
    else if (type === startGroup) this.#skipGroup(fieldTag, end)
    else throw new WireError('An unknown kind of field', this.at - 1)
  }

  #skipGroup(firstTag: number, end: number): void {
    const open = [firstTag]
    while (open.length > 0) {
      const start = this.at
      const next = this.tag(end)
      const type = next & 7
      if (type === startGroup) {
        if (open.push(next) > maxGroupDepth) throw new WireError('Groups too deep', start)
      } else if (type === endGroup) {
        if (open.pop() !== next - 1) throw new WireError('The end of another group', start)
      } else {
        this.skip(next, end)
      }
    }
  }

  #take(size: number, end: number): number {
    const start = this.at
    if (size > end - start) throw new WireError('A value cut short', start)
    this.at = start + size
    return start
  }

  #readVarint(end: number): void {
    const start = this.at
    let low = 0
    let high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= end) throw new WireError('A number cut short', start)
      const byte = this.#bytes[this.at++] as number
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >>> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) {
        this.#low = low >>> 0
        this.#high = high >>> 0
        return
      }
    }
    throw new WireError('A number too long', start)
  }
}
