/*
 * Text as words to search by: what a run of letters holds when it is filed, and what a person types. Scripts
 * that write no spaces are cut into pairs of neighbors, so that any part of two characters or more is found in
 * them. How bytes are cut into runs is in scan-words.ts.
 */

/** What is longer is no word but data. */
export const termLengthMax = 64

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
const runPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/gu
const beyondLatin = /[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3040-\u{3ffff}]/u
const marks = /[\u0300-\u036f]/g
// oxlint-disable-next-line no-control-regex -- the range is meant: everything that ASCII has
const ascii = /^[\x00-\x7f]*$/

/** The words of a text, some of them more than once. Case, width and the marks on letters make no difference. */
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
  /** Words that begin with it will do. */
  readonly isPrefix: boolean
}

/** What somebody types: all of these words must be there. A star ends the beginning of a word. */
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
      // A single character begins the pair that it is the first of, and stands alone where it is the last.
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
  // Which sigma a capital becomes depends on its neighbors; a text cut elsewhere would give another one.
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
  /** Of a script that writes no spaces. */
  readonly isRun: boolean
}

/** A word that mixes scripts, cut where they meet. */
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
