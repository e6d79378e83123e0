/*
 * JSON values in one form, so that equal values have equal texts.
 */

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

/** Deeper values are cut off, so that no value exhausts the stack. */
const depthMax = 100

/** The JSON text with sorted members, without spaces. Members that are undefined are left out, as in JSON. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (depth === depthMax) return '"…"'
  if (Array.isArray(value)) {
    return `[${value.map((one) => canonicalJson(one, depth + 1)).join(',')}]`
  }
  const members = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one, depth + 1)}`)
  return `{${members.join(',')}}`
}

/** The texts in a value, with object keys left out, in order. */
export function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null || depth === depthMax) return
  for (const one of Object.values(value)) yield* textsIn(one, depth + 1)
}

/** Texts, numbers and booleans in a value, each with its path: `items.0.price`. */
export function* leavesIn(
  value: unknown,
  path = '',
  depth = 0,
): Generator<{ readonly path: string; readonly value: string | number | boolean }> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    yield { path, value }
  }
  if (typeof value !== 'object' || value === null || depth === depthMax) return
  for (const [name, one] of Object.entries(value)) {
    yield* leavesIn(one, path === '' ? name : `${path}.${name}`, depth + 1)
  }
}

/** Text as it is; other values as JSON. Empty for null. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
