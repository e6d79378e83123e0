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

export interface Leaf {
  /** `items.0.price`. */
  readonly path: string
  readonly value: string | number | boolean
}

/** Texts, numbers and booleans in a value, in order. Values of any depth and length take linear time and no memory. */
export function* leavesIn(value: unknown): Generator<Leaf> {
  if (isLeaf(value)) yield { path: '', value }
  const open = [...openFrame(value, '')]
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const name = nextName(frame)
    if (name === undefined) {
      open.pop()
      continue
    }
    const inner = (frame.container as Readonly<Record<string, unknown>>)[name]
    const isInside = typeof inner === 'object' && inner !== null && open.length < depthMax
    // Paths of containers and leaves only: most values of long lists are neither.
    if (!isInside && !isLeaf(inner)) continue
    const path = frame.path === '' ? name : `${frame.path}.${name}`
    if (isInside) open.push(...openFrame(inner, path))
    else yield { path, value: inner as Leaf['value'] }
  }
}

/** The texts in a value, with object keys left out, in order. */
export function* textsIn(value: unknown): Generator<string> {
  for (const leaf of leavesIn(value)) if (typeof leaf.value === 'string') yield leaf.value
}

interface Frame {
  readonly container: object
  /** Undefined for a list: its indexes would be as many as its items. */
  readonly names: readonly string[] | undefined
  readonly path: string
  at: number
}

/** None for what contains nothing. */
function openFrame(value: unknown, path: string): Frame[] {
  if (typeof value !== 'object' || value === null) return []
  return [
    { container: value, names: Array.isArray(value) ? undefined : Object.keys(value), path, at: 0 },
  ]
}

function nextName(frame: Frame): string | undefined {
  const { container, names } = frame
  const at = frame.at
  frame.at += 1
  if (names !== undefined) return names[at]
  return at < (container as readonly unknown[]).length ? String(at) : undefined
}

function isLeaf(value: unknown): value is Leaf['value'] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Text as it is; other values as JSON. Empty for null. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
