import type { Row } from './columns.ts'

/*
 * Rows as lines of JSON (the format JSONCompactEachRow), in two parts: what follows from an item alone is encoded by any
 * thread, and what its batch adds is put before it when it is stored.
 */

const lineFeed = 0x0a

/** The end of a row. */
export function toLine(row: Row): string {
  return `${JSON.stringify(row).slice(1)}\n`
}

/** The beginning of each row of a batch. */
export function toPrefix(row: Row): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(row).slice(0, -1)},`)
}

export function* splitLines(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, at) + 1
    yield bytes.subarray(at, end)
    at = end
  }
}

/** Whole rows. */
export function withPrefix(prefix: Uint8Array, lines: Uint8Array): readonly Uint8Array[] {
  return [...splitLines(lines)].flatMap((line) => [prefix, line])
}
