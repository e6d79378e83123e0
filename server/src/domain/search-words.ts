import { limits } from '@assay/contract/limits.ts'

/*
 * Text as words to search by: of texts when they are filed, and of what a person types. Scripts that write no
 * spaces are cut into pairs of neighbors, so that any part of two characters or more is found in them.
 */

/** Beyond it a text is not searched. */
const searchedLength = limits.searchedLength.value
/** What is longer is no word but data. */
const wordLength = 64
const wordsMax = 10_000

const plainWord = /[a-z0-9]+/g
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
const runPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/gu
const beyondLatin = /[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3040-\u{3ffff}]/u
const marks = /[\u0300-\u036f]/g
// oxlint-disable-next-line no-control-regex -- the range is meant: everything that ASCII has
const ascii = /^[\x00-\x7f]*$/

/** The words of some texts, each once. Case, width and the marks on letters make no difference. */
export function wordsOf(texts: readonly string[]): Set<string> {
  const words = new Set<string>()
  for (const text of texts) {
    const searched = folded(text.slice(0, searchedLength))
    // Most texts are plain: these are cut up several times faster.
    const isPlain = ascii.test(searched)
    for (const word of searched.match(isPlain ? plainWord : wordPattern) ?? []) {
      if (words.size >= wordsMax) return words
      if (!isPlain && beyondLatin.test(word)) addPairs(word, words)
      else if (word.length <= wordLength) words.add(word)
    }
  }
  return words
}

export interface SoughtWord {
  readonly word: string
  /** Words that begin with it will do. */
  readonly isBeginning: boolean
}

/** What somebody types: all of these words must be there. A star ends the beginning of a word. */
export function soughtWords(query: string): SoughtWord[] {
  const sought = new Map<string, SoughtWord>()
  const add = (word: string, isBeginning: boolean) => {
    sought.set(`${word}${isBeginning}`, { word, isBeginning })
  }
  for (const [whole, word = '', star = ''] of folded(query).matchAll(
    /([\p{L}\p{N}\p{M}]+)(\*?)/gu,
  )) {
    if (!beyondLatin.test(whole)) {
      add(word, star !== '')
      continue
    }
    for (const { part, isRun } of partsOf(word)) {
      // A single character begins the pair that it is the first of, and stands alone where it is the last.
      if (isRun && Array.from(part).length > 1) for (const pair of pairsOf(part)) add(pair, false)
      else add(part, isRun || star !== '')
    }
  }
  return [...sought.values()]
}

function folded(text: string): string {
  const lower = text.toLowerCase()
  if (ascii.test(lower)) return lower
  return lower.normalize('NFKD').replaceAll(marks, '').normalize('NFC').toLowerCase()
}

function addPairs(word: string, words: Set<string>): void {
  for (const { part, isRun } of partsOf(word)) {
    if (!isRun) {
      if (part.length <= wordLength) words.add(part)
      continue
    }
    for (const pair of pairsOf(part)) words.add(pair)
    words.add(Array.from(part).at(-1)!)
  }
}

interface Part {
  readonly part: string
  /** Of a script that writes no spaces. */
  readonly isRun: boolean
}

/** A word that mixes scripts, cut where they meet. */
function partsOf(word: string): Part[] {
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

function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}
