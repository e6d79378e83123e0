/*
 * JSON with numbers that a double cannot represent, such as IDs of 64 bits, without rounding them. Browsers without
 * "JSON.parse source text access" round them.
 */

interface RawJson {
  readonly rawJSON?: (text: string) => unknown
  readonly isRawJSON?: (value: unknown) => boolean
}

const json: typeof JSON & RawJson = JSON

/** Sixteen digits, or an exponent of three, may be more than a double can represent. */
const mayExceedDouble = /\d{16}|\d[eE][+-]?\d{3}/

/** Like `JSON.parse`, but such a number keeps its text: it is an `isExactNumber`, and is serialized unchanged. */
export function parseExactly(text: string): unknown {
  const { rawJSON } = json
  // A reviver makes parsing many times slower.
  if (rawJSON === undefined || !mayExceedDouble.test(text)) return JSON.parse(text)
  function revive(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
    const source = context?.source
    if (typeof value !== 'number' || source === undefined || isExact(source, value)) return value
    return rawJSON?.(source)
  }
  return JSON.parse(text, revive)
}

function isExact(source: string, value: number): boolean {
  return /^-?\d+$/.test(source) ? String(value) === source : Number.isFinite(value)
}

/** A number that keeps its text. `JSON.stringify` returns the text. */
export function isExactNumber(value: unknown): boolean {
  return json.isRawJSON?.(value) === true
}
