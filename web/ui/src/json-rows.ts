import { type Container, type Member, membersOf, toContainer } from './json-members.ts'
import { initiallyOpen } from './json-opening.ts'
import { jsonPreview } from './json-preview.ts'

/*
 * A JSON value as rows, and a search through it. Walks no further than needed, so that a large value costs
 * no more than its rendered part.
 */

export interface JsonRow {
  /**
   * The unique path: `messages[3].content`. The closing row of a container has the path of its opening row.
   */
  readonly path: string
  readonly depth: number
  /** The member's name; absent in arrays and at the root. */
  readonly name?: string
  readonly row:
    | { readonly is: 'leaf'; readonly value: unknown }
    | { readonly is: 'open'; readonly container: Container }
    | { readonly is: 'collapsed'; readonly container: Container; readonly preview: string }
    | { readonly is: 'close'; readonly container: Container }
}

export interface JsonRows {
  readonly rows: readonly JsonRow[]
  /** The value has more rows than `maxRows`. */
  readonly isCut: boolean
}

interface Frame {
  readonly path: string
  readonly depth: number
  readonly container: Container
  readonly members: Iterator<Member>
}

/**
 * The rows of a value, at most `maxRows`. `opened` has the containers that the user expanded or collapsed,
 * by path.
 */
export function jsonRows(
  value: unknown,
  opened: ReadonlyMap<string, boolean>,
  maxRows: number,
): JsonRows {
  const rows: JsonRow[] = []
  const initial = initiallyOpen(value)
  const frames: Frame[] = []

  function enter(member: Member): void {
    const at = { path: member.path, depth: frames.length, ...named(member) }
    const container = toContainer(member.value)
    if (container === undefined || container.size === 0) {
      rows.push({ ...at, row: { is: 'leaf', value: member.value } })
      return
    }
    const inner = member.value as object
    const isOpen = opened.get(member.path) ?? initial.has(inner)
    if (!isOpen) {
      rows.push({ ...at, row: { is: 'collapsed', container, preview: jsonPreview(inner) } })
      return
    }
    rows.push({ ...at, row: { is: 'open', container } })
    const members = membersOf(member.path, inner)
    frames.push({ path: member.path, depth: frames.length, container, members })
  }

  enter({ path: '', value })
  while (frames.length > 0) {
    if (rows.length >= maxRows) return { rows, isCut: true }
    const frame = frames.at(-1) as Frame
    const next = frame.members.next()
    if (next.done !== true) enter(next.value)
    else {
      frames.pop()
      const { path, depth, container } = frame
      rows.push({ path, depth, row: { is: 'close', container } })
    }
  }
  return { rows, isCut: false }
}

function named(member: Member): { readonly name?: string } {
  return member.name === undefined ? {} : { name: member.name }
}

export interface JsonMatch {
  readonly path: string
  /** The value that matched, or whose name did, cut around the match. */
  readonly excerpt: string
}

export interface JsonMatches {
  readonly matches: readonly JsonMatch[]
  /** There are more matches than listed. */
  readonly isCut: boolean
}

/** Values and member names that contain `searchText`, case-insensitive; at most `maxMatches`. */
export function jsonMatches(value: unknown, searchText: string, maxMatches: number): JsonMatches {
  const needle = searchText.toLowerCase()
  const matches: JsonMatch[] = []
  const waiting: Iterator<Member>[] = [[{ path: '', value } as Member].values()]
  while (waiting.length > 0) {
    const next = (waiting.at(-1) as Iterator<Member>).next()
    if (next.done === true) {
      waiting.pop()
      continue
    }
    const { path, name, value: found } = next.value
    const isContainer = toContainer(found) !== undefined
    const text = isContainer ? '' : toText(found)
    const at = text.toLowerCase().indexOf(needle)
    if (at !== -1 || name?.toLowerCase().includes(needle) === true) {
      if (matches.length === maxMatches) return { matches, isCut: true }
      matches.push({ path, excerpt: isContainer ? '' : around(text, Math.max(0, at)) })
    }
    if (isContainer) waiting.push(membersOf(path, found as object))
  }
  return { matches, isCut: false }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const excerptBefore = 60
const excerptLength = 240

function around(text: string, at: number): string {
  const start = Math.max(0, at - excerptBefore)
  const end = start + excerptLength
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}
