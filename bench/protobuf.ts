/*
 * A minimal protobuf writer: the benchmark must not share tables with the reader it measures.
 */

export type Field = readonly [number: number, content: Content]
type Content = string | number | bigint | Uint8Array | readonly Field[]

/** Fields in order: text, bytes and nested messages are length-delimited, bigint is fixed64, number is a varint. */
export function message(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.map(([number, content]) => encoded(number, content)))
}

function encoded(number: number, content: Content): Buffer {
  if (typeof content === 'number') return Buffer.concat([varint(number * 8), varint(content)])
  if (typeof content === 'bigint') {
    const fixed = Buffer.alloc(8)
    fixed.writeBigUInt64LE(content)
    return Buffer.concat([varint(number * 8 + 1), fixed])
  }
  const bytes = content instanceof Uint8Array ? content : toBytes(content)
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.byteLength), bytes])
}

function toBytes(content: string | readonly Field[]): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : message(content)
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let remaining = value
  while (remaining > 127) {
    bytes.push((remaining % 128) + 128)
    remaining = Math.floor(remaining / 128)
  }
  bytes.push(remaining)
  return Buffer.from(bytes)
}
