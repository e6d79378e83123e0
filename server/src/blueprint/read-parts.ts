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
    const items = parts.get(part)?.value
    const isItem = listNames.has(part) && !Array.isArray(value)
    const value_ = isItem ? [...(Array.isArray(items) ? items : []), value] : value
    parts.set(part, { value: value_, isWhole: !isItem })
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

/** Members of the outermost object, up to the first that is not complete. */
function completeMembers(text: string): ReadonlyMap<string, ReadPart> {
  const parts = new Map<string, ReadPart>()
  if (!text.startsWith('{')) return parts
  for (const { name, value, items } of membersOf(text)) {
    const read = tryParse(value === undefined ? `[${items.join(',')}]` : value)
    if (read === undefined) break
    parts.set(name, { value: read, isWhole: value !== undefined })
  }
  return parts
}

interface Member {
  readonly name: string
  /** Undefined for a list that was cut off. */
  readonly value: string | undefined
  readonly items: readonly string[]
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs

/**
 * The texts of members that a comma or a bracket follows. What is between the tokens is checked by the parser, to which
 * the texts are passed.
 */
function membersOf(text: string): readonly Member[] {
  const members: Member[] = []
  let depth = 0
  let name: string | undefined
  let from = 0
  let items: string[] = []
  let itemFrom = 0
  let isList = false
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const end = index + token.length
    if (token === '{' || token === '[') {
      depth += 1
      if (depth === 2 && name !== undefined) {
        isList = token === '['
        itemFrom = end
      }
    } else if (token === '}' || token === ']') {
      depth -= 1
      if (depth <= 0) break
    } else if (token === ':' && depth === 1) {
      from = end
    } else if (token === ',' && depth === 2 && isList) {
      items.push(text.slice(itemFrom, index))
      itemFrom = end
    } else if (token === ',' && depth === 1 && name !== undefined) {
      members.push({ name, value: text.slice(from, index), items: [] })
      name = undefined
      items = []
      isList = false
    } else if (token.startsWith('"') && depth === 1 && name === undefined) {
      const key = tryParse(token)
      if (typeof key !== 'string') break
      name = key
    }
  }
  const isOpen = depth >= 2 && isList && name !== undefined
  return isOpen ? [...members, { name: name!, value: undefined, items }] : members
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
