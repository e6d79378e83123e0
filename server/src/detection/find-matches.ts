import { TextTrie } from '../platform/text-trie.ts'
import type { AnchoredRule, ShapeRule } from './rule.ts'

/*
 * Applies the rules to a normalized text. One pass finds all keywords; patterns run only at a keyword, or near a word
 * or digits, so that ordinary text costs little.
 */

export interface Match {
  readonly rule: AnchoredRule | ShapeRule
  readonly start: number
  readonly end: number
  /** The length of the part of the value that is public, such as `ghp_`. */
  readonly prefixLength: number
}

interface Range {
  readonly start: number
  readonly end: number
}

/** How far a word may be from the number that it announces. */
const nearby = 60
/** More than the length of any number, and of what a pattern looks at around it. */
const longestShape = 100

interface Word {
  readonly rule: ShapeRule
  readonly text: string
}

type OnWord = (rule: ShapeRule, place: Range) => void

/** Matches can overlap. */
export type RuleSearch = (text: string) => Match[]

export function createRuleSearch(
  anchoredRules: readonly AnchoredRule[],
  shapeRules: readonly ShapeRule[],
): RuleSearch {
  const trie = new TextTrie()
  const rulesOf = new Map<number, AnchoredRule[]>()
  const wordsOf = new Map<number, Word[]>()
  for (const rule of anchoredRules) {
    for (const keyword of rule.keywords) append(rulesOf, trie.add(keyword), rule)
  }
  for (const rule of shapeRules) {
    for (const text of rule.words) append(wordsOf, trie.add(text.toLowerCase()), { rule, text })
  }
  trie.link()
  const rulesWithoutWords = shapeRules.filter(({ words }) => words.length === 0)

  const findAnchored = (text: string, onWord: OnWord): Match[] => {
    const matches: Match[] = []
    /** By rule, where its last match ended: what is inside a match does not start another. */
    const ends = new Map<AnchoredRule, number>()
    /** Up to where a match was accepted. Another token can follow without a space, where its prefix looks like a part. */
    let acceptedTo = -1
    trie.forEachOccurrence(text.toLowerCase(), (state, start, end) => {
      for (const rule of rulesOf.get(state) ?? []) {
        if (end <= (ends.get(rule) ?? 0)) continue
        const isAtStart = rule.isWithinWord || startsWord(text, start)
        if (!isAtStart && !(rule.isPrefixed && start <= acceptedTo)) continue
        const match = matchAt(text, rule, start, end)
        if (match === undefined) continue
        ends.set(rule, match.end)
        if (!match.isAccepted || (!isAtStart && match.end <= acceptedTo)) continue
        matches.push(match)
        acceptedTo = Math.max(acceptedTo, match.end)
      }
      for (const word of wordsOf.get(state) ?? []) {
        if (isWordAt(text, word.text, start, end)) onWord(word.rule, { start, end })
      }
    })
    return matches
  }

  return (text) => {
    const places = new Map<ShapeRule, Range[]>()
    const matches = findAnchored(text, (rule, place) => append(places, rule, place))
    for (const [rule, words] of places) matches.push(...findNear(text, rule, words))
    for (const window of windowsAround(digitZones(text), longestShape)) {
      for (const rule of rulesWithoutWords) matches.push(...findShapes(text, rule, window))
    }
    return matches
  }
}

function* findNear(text: string, rule: ShapeRule, words: readonly Range[]): Generator<Match> {
  let nearest = 0
  for (const window of windowsAround(words, nearby + longestShape)) {
    for (const match of findShapes(text, rule, window)) {
      while ((words[nearest]?.end ?? Infinity) + nearby < match.start) nearest += 1
      if ((words[nearest]?.start ?? Infinity) - nearby <= match.end) yield match
    }
  }
}

/** Where at least four digits are close to each other, as in every shape without a word. */
function* digitZones(text: string): Generator<Range> {
  for (const { 0: zone, index } of text.matchAll(/\d(?:[^\d\n]{0,8}\d){3,}/g)) {
    yield { start: index, end: index + zone.length }
  }
}

/** The places, in ascending order, with a margin; windows that would overlap are one. */
function* windowsAround(places: Iterable<Range>, margin: number): Generator<Range> {
  let window: Range | undefined
  for (const { start, end } of places) {
    const isSeparate = window !== undefined && start - margin > window.end
    if (window !== undefined && isSeparate) yield window
    window = {
      start: window === undefined || isSeparate ? start - margin : window.start,
      end: Math.max(end + margin, window?.end ?? 0),
    }
  }
  if (window !== undefined) yield window
}

function matchAt(
  text: string,
  rule: AnchoredRule,
  keywordStart: number,
  keywordEnd: number,
): (Match & { readonly isAccepted: boolean }) | undefined {
  const { pattern, accepts } = rule
  pattern.lastIndex = rule.isPrefixed ? keywordStart : keywordEnd
  const found = pattern.exec(text)
  if (found === null) return undefined
  const { value, before = '' } = found.groups ?? {}
  if (value !== undefined) {
    const start = pattern.lastIndex - value.length
    const bare = rule.isBare ? withoutPunctuation(value) : value
    const isAccepted = accepts(bare, bare)
    return { rule, start, end: start + bare.length, prefixLength: 0, isAccepted }
  }
  const whole = before + found[0]
  const body = found[0].slice(keywordEnd - keywordStart)
  return {
    rule,
    start: keywordStart - before.length,
    end: pattern.lastIndex,
    prefixLength: before === '' ? keywordEnd - keywordStart : 0,
    isAccepted: accepts(whole, body),
  }
}

/**
 * A value without quotes ends before another parameter, an escaped quote or line break, and the punctuation of a
 * sentence or a list.
 */
function withoutPunctuation(value: string): string {
  const following = value.search(/(?:[&,;]|%26)[\w.-]{1,40}(?:=|%3D)|\\{1,15}["'nrt]/)
  let end = following === -1 ? value.length : following
  while (end > 0 && '.,;:?)]}|\\'.includes(value.charAt(end - 1))) end -= 1
  return value.slice(0, end)
}

function* findShapes(text: string, rule: ShapeRule, range: Range): Generator<Match> {
  const start = Math.max(0, range.start)
  const searched = text.slice(start, range.end)
  for (const found of searched.matchAll(rule.pattern)) {
    if (!rule.accepts(found[0])) continue
    const at = start + found.index
    yield { rule, start: at, end: at + found[0].length, prefixLength: 0 }
  }
}

function isWordAt(text: string, word: string, start: number, end: number): boolean {
  if (word !== word.toLowerCase() && text.slice(start, end) !== word) return false
  if (isLetter(text.charCodeAt(start)) && isLetter(text.charCodeAt(start - 1))) return false
  // Long words may have an ending or be part of a compound.
  return end - start > 6 || !isLetter(text.charCodeAt(end - 1)) || !isLetter(text.charCodeAt(end))
}

function startsWord(text: string, start: number): boolean {
  return !isLetterOrDigit(text.charCodeAt(start - 1))
}

/** Latin letters only: other scripts do not always separate words. */
function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0xc0 && code < 0x250)
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || isLetter(code)
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
