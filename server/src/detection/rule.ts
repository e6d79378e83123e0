import type { Category } from './finding.ts'
import { isRandomToken } from './value-checks.ts'

/*
 * The two forms of detection rules, and the short ways to write them. Every pattern must run in linear time, because
 * senders choose its input.
 */

interface RuleBase {
  readonly type: string
  readonly category: Category
  /** From 0 to 1. Of overlapping findings, the most confident one gives the type. */
  readonly confidence: number
}

/** A rule that starts at a keyword, such as the public prefix of a token or the word before a password. */
export interface AnchoredRule extends RuleBase {
  /** In lower case. The pattern is tried at each occurrence. */
  readonly keywords: readonly string[]
  /**
   * Sticky. The value is the group `value`, which ends the match; without that group, it is the whole match, preceded
   * by the group `before` of a lookbehind if there is one.
   */
  readonly pattern: RegExp
  /** `body` is the value after the keyword. */
  readonly accepts: (value: string, body: string) => boolean
  /** Whether the keyword may follow a letter or digit, as in `DBPASSWORD=`. */
  readonly isWithinWord: boolean
  /**
   * Whether the pattern starts with the keyword, a public part of the value, which then can continue on the next
   * lines. Otherwise the pattern starts after the keyword.
   */
  readonly isPrefixed: boolean
  /** Whether punctuation and further parameters can follow the value. */
  readonly isBare: boolean
}

/** A rule for values that are marked by their shape, such as identification numbers. */
export interface ShapeRule extends RuleBase {
  /** Global. */
  readonly pattern: RegExp
  readonly accepts: (value: string) => boolean
  /** One of them must be near. Those with a capital letter match only in that case. */
  readonly words: readonly string[]
}

/** A token with public prefixes; `body` matches what follows. */
export function token(
  type: string,
  prefixes: readonly string[],
  body: RegExp,
  accepts: (value: string, body: string) => boolean = (_, random) => isRandomToken(random),
): AnchoredRule {
  const prefix = prefixes.map((text) => RegExp.escape(text)).join('|')
  return {
    type,
    category: 'credential',
    confidence: 0.95,
    keywords: [...new Set(prefixes.map((text) => text.toLowerCase()))],
    pattern: new RegExp(`(?:${prefix})(?:${body.source})(?![A-Za-z0-9])`, 'y'),
    accepts,
    isWithinWord: false,
    isPrefixed: true,
    isBare: false,
  }
}

interface NamedOptions {
  /** The value has no quotes: the punctuation after it and further parameters are not part of it. */
  readonly isBare?: boolean
  /** Letters before the name make it another word. */
  readonly isWord?: boolean
  readonly confidence?: number
}

/** A value that follows a name, such as `password = …`. The pattern starts after the name and has a group `value`. */
export function named(
  type: string,
  names: readonly string[],
  pattern: RegExp,
  accepts: (value: string) => boolean,
  { isBare = false, isWord = false, confidence = 0.7 }: NamedOptions = {},
): AnchoredRule {
  return {
    type,
    category: 'credential',
    confidence,
    keywords: names,
    pattern: new RegExp(pattern.source, pattern.flags.replace('y', '') + 'y'),
    accepts,
    isWithinWord: !isWord,
    isPrefixed: false,
    isBare,
  }
}

/** A key without a prefix, near a word such as the name of its service. */
export function keyNear(
  type: string,
  words: readonly string[],
  shape: RegExp,
  accepts: (value: string) => boolean,
): ShapeRule {
  return {
    type,
    category: 'credential',
    confidence: 0.75,
    words,
    pattern: isolated(shape.source),
    accepts,
  }
}

/** A number that its shape and its check digits identify alone. */
export function identifier(
  type: string,
  shape: RegExp,
  accepts: (value: string) => boolean,
): ShapeRule {
  return identifierNear(type, [], shape, accepts)
}

/** A number that is reported only near one of the words. */
export function identifierNear(
  type: string,
  words: readonly string[],
  shape: RegExp,
  accepts: (value: string) => boolean,
): ShapeRule {
  return {
    type,
    category: 'government_id',
    confidence: words.length === 0 ? 0.85 : 0.8,
    words,
    pattern: isolated(shape.source),
    accepts,
  }
}

/** Not a part of a longer word, number, date or version. */
export function isolated(source: string, before = String.raw`(?<!\w|\d[-./])`): RegExp {
  return new RegExp(String.raw`${before}(?:${source})(?!\w|[-./]\d)`, 'g')
}

/** A token with a public part inside, preceded by the group `before` of the pattern's lookbehind. */
export function tokenAround(
  type: string,
  keyword: string,
  pattern: RegExp,
  accepts: (value: string) => boolean = isRandomToken,
): AnchoredRule {
  return {
    type,
    category: 'credential',
    confidence: 0.95,
    keywords: [keyword],
    pattern: new RegExp(pattern.source, 'y'),
    accepts,
    isWithinWord: true,
    isPrefixed: true,
    isBare: false,
  }
}
