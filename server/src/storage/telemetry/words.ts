/*
 * Splits text into words, for the index and for queries. Scripts without spaces are split into overlapping
 * pairs of characters, so that any part of two or more characters is found. byte-words.ts splits bytes
 * into runs.
 */

/** Longer runs are data, not words. */
export const termLengthMax = 64

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
const runPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/gu
const beyondLatin = /[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3040-\u{3ffff}]/u
const marks = /[\u0300-\u036f]/g
// oxlint-disable-next-line no-control-regex -- the range is meant: everything that ASCII has
const ascii = /^[\x00-\x7f]*$/

/** The words of a text, possibly with duplicates. Case, width and diacritics are ignored. */
export function tokenize(text: string): string[] {
  const words: string[] = []
  for (const word of foldText(text).match(wordPattern) ?? []) {
    if (beyondLatin.test(word)) addBigrams(word, words)
    else if (word.length <= termLengthMax) words.push(word)
  }
  return words
}

export interface QueryTerm {
  readonly word: string
  /** Matches every word with this prefix. */
  readonly isPrefix: boolean
}

/** The words of a query; all of them must match. A star marks a prefix. */
export function parseSearchQuery(query: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>()
  const add = (word: string, isPrefix: boolean) => {
    terms.set(`${word}${isPrefix}`, { word, isPrefix })
  }
  for (const [whole, word = '', star = ''] of foldText(query).matchAll(
    /([\p{L}\p{N}\p{M}]+)(\*?)/gu,
  )) {
    if (!beyondLatin.test(whole)) {
      add(word, star !== '')
      continue
    }
    for (const { part, isRun } of splitScripts(word)) {
      // A single character is the prefix of the pair that it starts; the last one is also a word.
      if (isRun && Array.from(part).length > 1) for (const pair of toBigrams(part)) add(pair, false)
      else add(part, isRun || star !== '')
    }
  }
  return [...terms.values()]
}

function foldText(text: string): string {
  const lower = text.toLowerCase()
  if (ascii.test(lower)) return lower
  const plain = lower.normalize('NFKD').replaceAll(marks, '').normalize('NFC').toLowerCase()
  // The lower case of a capital sigma depends on its neighbors, and so on where the text was split.
  return plain.replaceAll('ς', 'σ')
}

function addBigrams(word: string, words: string[]): void {
  for (const { part, isRun } of splitScripts(word)) {
    if (!isRun) {
      if (part.length <= termLengthMax) words.push(part)
      continue
    }
    for (const pair of toBigrams(part)) words.push(pair)
    words.push(Array.from(part).at(-1)!)
  }
}

interface Part {
  readonly part: string
  /** In a script without spaces. */
  readonly isRun: boolean
}

/** A word of several scripts, split where they meet. */
function splitScripts(word: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { 0: run, index } of word.matchAll(runPattern)) {
    if (index > at) parts.push({ part: word.slice(at, index), isRun: false })
    parts.push({ part: run, isRun: true })
    at = index + run.length
  }
  if (at < word.length) parts.push({ part: word.slice(at), isRun: false })
  return parts
}

function toBigrams(run: string): string[] {
  const characters = Array.from(run)
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}
