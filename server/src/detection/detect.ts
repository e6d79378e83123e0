import { anchoredRules, shapeRules } from './all-rules.ts'
import { decodeEscapes } from './decode-escapes.ts'
import { createRuleSearch, type Match } from './find-matches.ts'
import type { Finding } from './finding.ts'
import { findBrokenTokens } from './join-lines.ts'
import { type MappedText, unchanged } from './mapped-text.ts'
import { normalizeText } from './normalize-text.ts'

/*
 * Finds credentials, government identifiers, contact and financial data in a text. Nothing that the text contains
 * switches a rule off.
 */

const findMatches = createRuleSearch(anchoredRules, shapeRules)
const findTokens = createRuleSearch(
  anchoredRules.filter(({ isPrefixed }) => isPrefixed),
  [],
)

/** Sorted by start; findings do not overlap. */
export function detect(text: string): Finding[] {
  const decoded = decodeEscapes(text)
  // The line breaks of the text are also in the decoded one.
  const matches =
    decoded === undefined
      ? findIn(unchanged(text), findAll)
      : [...findIn(unchanged(text), findMatches), ...findIn(decoded, findAll)]
  return withoutOverlaps(matches).map((match) => {
    const { category, type, confidence } = match.rule
    const { start, end } = match
    const value = readable(text.slice(start, end))
    const preview = previewOf(value, match)
    return { category, type, start, end, preview, confidence, blocks: isBlocking(match) }
  })
}

function findAll(text: string): Match[] {
  return [...findMatches(text), ...findBrokenTokens(text, findTokens)]
}

/** The matches with their positions in the original. */
function findIn(
  { text, toOriginalStart, toOriginalEnd }: MappedText,
  find: (normalized: string) => Match[],
): Match[] {
  const normalized = normalizeText(text)
  return find(normalized.text).map((match) => ({
    ...match,
    start: toOriginalStart(normalized.toOriginalStart(match.start)),
    end: toOriginalEnd(normalized.toOriginalEnd(match.end)),
  }))
}

function readable(value: string): string {
  return normalizeText(decodeEscapes(value)?.text ?? value).text
}

function isBlocking({ rule }: Match): boolean {
  return rule.category === 'credential' || rule.category === 'government_id'
}

/** From here on, two characters reveal little of the rest. */
const longEnoughForTail = 12

/** The longest identifier with separators of its own; longer ones are several lines. */
const longestShape = 40

/**
 * The shape of an identifier is that of its kind, such as `•••-••-••••`, and tells it from others in the text. That of a
 * credential could be its only secret.
 */
function previewOf(value: string, { rule, prefixLength }: Match): string {
  const prefix = value.slice(0, prefixLength)
  const tail = value.length - prefixLength < longEnoughForTail ? '' : value.slice(-2)
  const isShaped = rule.category === 'government_id' || rule.category === 'financial'
  if (!isShaped || value.length > longestShape) return `${prefix}…${tail}`
  return value.slice(0, value.length - tail.length).replace(/[^ ./-]/gu, '•') + tail
}

function withoutOverlaps(matches: readonly Match[]): Match[] {
  const kept: Match[] = []
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const previous = kept.at(-1)
    if (previous === undefined || previous.end <= match.start) kept.push(match)
    else kept[kept.length - 1] = combine(previous, match)
  }
  return kept
}

/**
 * Of two blocking matches, the result covers both: two rules can see different parts of one value. Otherwise the
 * stronger one remains.
 */
function combine(first: Match, second: Match): Match {
  const isSecondStronger =
    isBlocking(first) === isBlocking(second)
      ? second.rule.confidence > first.rule.confidence
      : isBlocking(second)
  const stronger = isSecondStronger ? second : first
  if (!isBlocking(first) || !isBlocking(second)) return stronger
  return {
    rule: stronger.rule,
    start: first.start,
    end: Math.max(first.end, second.end),
    prefixLength: stronger.start === first.start ? stronger.prefixLength : 0,
  }
}
