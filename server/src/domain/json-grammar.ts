/*
 * Validates JSON without building a value: it allocates nothing, whatever the size and shape of the text,
 * and text that is nested too deeply is invalid. Finds members and items in the same way.
 */

const comma = 0x2c
const colon = 0x3a
const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Whether `JSON.parse` would accept `text`, with objects and arrays at most `maxDepth` deep. */
export function isJson(text: string, maxDepth: number): boolean {
  const isObject: boolean[] = []
  let at = skipSpace(text, 0)
  for (;;) {
    // A value starts at `at`.
    const code = text.charCodeAt(at)
    if (code === openBracket || code === openBrace) {
      if (isObject.length === maxDepth) return false
      const next = skipSpace(text, at + 1)
      const isEmpty = text.charCodeAt(next) === (code === openBrace ? closeBrace : closeBracket)
      if (!isEmpty) {
        isObject.push(code === openBrace)
        at = code === openBrace ? valueOfMember(text, next) : next
        if (at === -1) return false
        continue
      }
      at = next + 1
    } else {
      at = endOfScalar(text, at, code)
      if (at === -1) return false
    }
    // A value ended before `at`: close its containers, then continue with the next value.
    for (;;) {
      at = skipSpace(text, at)
      if (isObject.length === 0) return at === text.length
      const inObject = isObject[isObject.length - 1] === true
      const after = text.charCodeAt(at)
      if (after === comma) {
        at = skipSpace(text, at + 1)
        if (inObject) at = valueOfMember(text, at)
        if (at === -1) return false
        break
      }
      if (after !== (inObject ? closeBrace : closeBracket)) return false
      isObject.pop()
      at++
    }
  }
}

/**
 * The texts of the named members of the object that `json` starts with, found without building a value. Members
 * of objects within it are not found, and of invalid JSON those before the fault.
 */
export function findMembers(json: string, names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const keys = names.map((name) => [`"${name}"`, name] as const)
  const start = skipSpace(json, 0)
  if (json.charCodeAt(start) !== openBrace) return found
  let at = start
  do {
    const key = skipSpace(json, at + 1)
    const value = valueOfMember(json, key)
    if (value === -1) break
    const end = endOfValue(json, value)
    if (end === -1) break
    const match = keys.find(([quoted]) => json.startsWith(quoted, key))
    if (match !== undefined) found.set(match[1], json.slice(value, end))
    at = skipSpace(json, end)
  } while (found.size < names.length && json.charCodeAt(at) === comma)
  return found
}

/** Where each item of the array that `json` starts with begins and ends, of invalid JSON before the fault. */
export function findItems(json: string): readonly (readonly [start: number, end: number])[] {
  const items: (readonly [number, number])[] = []
  let at = skipSpace(json, 0)
  if (json.charCodeAt(at) !== openBracket) return items
  do {
    const start = skipSpace(json, at + 1)
    const end = endOfValue(json, start)
    if (end <= start) break
    items.push([start, end])
    at = skipSpace(json, end)
  } while (json.charCodeAt(at) === comma)
  return items
}

/** The position after the value that starts at `start`, which is not validated; -1 when it does not end. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = afterString(text, at + 1)
      if (at === -1 || depth === 0) return at
      continue
    }
    const closes = code === closeBrace || code === closeBracket
    if (depth === 0 && (closes || code === comma)) return at
    if (code === openBrace || code === openBracket) depth++
    if (closes && --depth === 0) return at + 1
    at++
  }
  return -1
}

/** As `endOfString`, without validation: searching for the quote is many times faster. */
function afterString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return at + 1
  }
  return -1
}

function skipSpace(text: string, start: number): number {
  let at = start
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}

/** From the key of a member to the start of its value; -1 when there is no member. */
function valueOfMember(text: string, start: number): number {
  if (text.charCodeAt(start) !== quote) return -1
  const afterKey = endOfString(text, start + 1)
  if (afterKey === -1) return -1
  const at = skipSpace(text, afterKey)
  return text.charCodeAt(at) === colon ? skipSpace(text, at + 1) : -1
}

/** The position after a string, number or literal that starts at `start`; -1 when there is none. */
function endOfScalar(text: string, start: number, code: number): number {
  if (code === quote) return endOfString(text, start + 1)
  const word = code === 0x74 ? 'true' : code === 0x66 ? 'false' : code === 0x6e ? 'null' : undefined
  if (word !== undefined) return text.startsWith(word, start) ? start + word.length : -1
  number.lastIndex = start
  return number.test(text) ? number.lastIndex : -1
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function endOfString(text: string, start: number): number {
  const end = text.length
  let at = start
  while (at < end) {
    const code = text.charCodeAt(at++)
    if (code === quote) return at
    if (code < 0x20) return -1
    if (code !== backslash) continue
    const escape = text.charCodeAt(at++)
    if (escape === 0x75) {
      if (!isHex4(text, at)) return -1
      at += 4
    } else if (!oneLetterEscapes.includes(escape)) {
      return -1
    }
  }
  return -1
}

/** The letters `" \\ / b f n r t`, the most frequent first. */
const oneLetterEscapes = [0x22, 0x6e, 0x5c, 0x74, 0x72, 0x2f, 0x62, 0x66]

function isHex4(text: string, start: number): boolean {
  hex4.lastIndex = start
  return hex4.test(text)
}

const hex4 = /[0-9a-fA-F]{4}/y
