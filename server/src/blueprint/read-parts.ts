/*
 * Reads an answer that may have been cut off: one JSON object, or one JSON object a line. Only values that are complete
 * in the text are read; nothing is repaired or guessed.
 */

export interface ReadParts {
  /** By name. Of a list that was cut off, the items before the cut. */
  readonly parts: ReadonlyMap<string, ReadPart>
  /** Whether the answer has its end marker. */
  readonly isEnded: boolean
}

export interface ReadPart {
  readonly value: unknown
  readonly isWhole: boolean
}

/** `wasCut`: the provider reports that the answer reached its maximum length. */
export function readParts(text: string, wasCut: boolean): ReadParts {
  const trimmed = text.trimStart()
  return isLines(trimmed) ? readLines(trimmed, wasCut) : readObject(trimmed, wasCut)
}

const isLines = (text: string) => /^(?:```\w*\s*\n)?\{\s*"part"\s*:/.test(text)

/** Each line is a part, or an item of one that is a list. Reading stops at a line that is no JSON. */
function readLines(text: string, wasCut: boolean): ReadParts {
  const parts = new Map<string, ReadPart>()
  const lines = text.split('\n').filter((line) => !/^\s*(?:```\w*)?\s*$/.test(line))
  let open: string | undefined
  for (const line of lines) {
    const read = tryParse(line)
    if (!isObject(read) || typeof read['part'] !== 'string') break
    const { part, value } = read
    if (part === 'end') return { parts, isEnded: !wasCut }
    if (value === undefined) break
    if (open !== undefined && open !== part) closePart(parts, open)
    open = part
    if (listNames.has(part) && !Array.isArray(value)) {
      const items: unknown = parts.get(part)?.value
      // In place: copies of a list for each of its items take seconds for a megabyte of lines.
      if (Array.isArray(items)) items.push(value)
      parts.set(part, { value: Array.isArray(items) ? items : [value], isWhole: false })
    } else {
      parts.set(part, { value, isWhole: true })
    }
  }
  return { parts, isEnded: false }
}

/** The line of another part follows. */
function closePart(parts: Map<string, ReadPart>, name: string): void {
  const part = parts.get(name)
  if (part !== undefined) parts.set(name, { ...part, isWhole: true })
}

const listNames = new Set(['tools', 'policies', 'entities', 'relations', 'rows', 'tasks'])

function readObject(text: string, wasCut: boolean): ReadParts {
  const whole = tryParse(text)
  if (whole === undefined) return { parts: completeMembers(text), isEnded: false }
  if (!isObject(whole)) return { parts: new Map(), isEnded: false }
  const { end, ...members } = whole
  const entries = Object.entries(members).map(
    ([name, value]) => [name, { value, isWhole: true }] as const,
  )
  // A provider can close the arguments of a tool where it cut them off: the last member may have lost its end.
  const complete = wasCut ? entries.slice(0, -1) : entries
  return { parts: new Map(complete), isEnded: end === 'end' && !wasCut }
}

/** Members of the outermost object that a comma follows, and the complete items of a list that was cut off. */
function completeMembers(text: string): ReadonlyMap<string, ReadPart> {
  const parts = new Map<string, ReadPart>()
  if (!text.startsWith('{')) return parts
  const { pieces, rest } = splitPieces(text)
  for (const piece of pieces) {
    const member = tryParse(`{${piece}}`)
    if (!isObject(member)) return parts
    for (const [name, value] of Object.entries(member)) parts.set(name, { value, isWhole: true })
  }
  const [, name, list] = /^\s*"(\w+)"\s*:\s*(\[.*)$/s.exec(rest) ?? []
  if (name === undefined || list === undefined) return parts
  const items = tryParse(`[${splitPieces(list).pieces.join(',')}]`)
  return items === undefined ? parts : parts.set(name, { value: items, isWhole: false })
}

interface Pieces {
  /** Each followed by a comma. */
  readonly pieces: readonly string[]
  readonly rest: string
}

/** A string that is not closed is one token, so that nothing within it counts. */
const tokens = /"(?:[^"\\]+|\\.)*"?|[{}[\],]/gs

/** What the outermost brackets of a text contain. The caller parses the pieces, which checks everything else. */
function splitPieces(text: string): Pieces {
  const pieces: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      depth += 1
      if (depth === 1) from = index + 1
    } else if (token === '}' || token === ']') {
      depth -= 1
    } else if (token === ',' && depth === 1) {
      pieces.push(text.slice(from, index))
      from = index + 1
    }
  }
  return { pieces, rest: text.slice(from) }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
