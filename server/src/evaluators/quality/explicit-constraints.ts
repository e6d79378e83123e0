import type { SpanText } from '../../domain/trace-view/trace-view.ts'
import { detectLanguage } from '../detect-language.ts'
import { findRequestedLanguages } from '../relevance/requested-language.ts'
import { parseJson } from './parse-json.ts'

/*
 * Constraints on an answer that code can decide, as far as they are stated in plain English: lengths, JSON, languages,
 * and words that must or must not occur.
 */

export interface Constraint {
  /** As it is written in the instructions. */
  readonly text: string
  readonly isMet: boolean
}

const lengthMax = 40_000
const constraintsMax = 10

export function findConstraints(sources: readonly SpanText[], answer: string): Constraint[] {
  return sources
    .map(({ text }) => text.slice(0, lengthMax))
    .flatMap((text) => [
      ...findLengths(text, answer),
      ...findJson(text, answer),
      ...findLanguage(text, answer),
      ...findWords(text, answer),
    ])
    .slice(0, constraintsMax)
}

const numberNames = 'one two three four five six seven eight nine ten'.split(' ')
const number = String.raw`(\d{1,5}|${numberNames.join('|')})`
const unit = String.raw`(words?|sentences?|characters?|paragraphs?|bullet points?|bullets?)`
const bounds = {
  most: 'at most|no more than|not more than|a maximum of|max\\.?|fewer than|less than|under|up to|within|(?:keep|limit) (?:it|your (?:answer|response|reply)) (?:to|under|below)',
  least: 'at least|no fewer than|no less than|a minimum of|more than',
  exact: 'exactly|in precisely',
} as const
const lengths = Object.entries(bounds).map(
  ([bound, phrases]) =>
    [
      bound as keyof typeof bounds,
      new RegExp(String.raw`\b(?:${phrases})\s{1,3}${number}\s{1,3}${unit}\b`, 'gi'),
    ] as const,
)

/** A length of something else than the answer, such as of a title or of each item. */
const ofAnotherThing =
  /\b(?:each|every|per|titles?|headlines?|subjects?|names?|summar(?:y|ies) of each|if|when|essays?|articles?|documents?|texts?)\b[^.!?\n]{0,60}$|^[^.!?\n]{0,20}\b(?:each|per|long titles?)\b/i

function findLengths(text: string, answer: string): Constraint[] {
  return lengths.flatMap(([bound, pattern]) =>
    [...text.matchAll(pattern)].flatMap(({ 0: found, 1: amount = '', 2: of = '', index }) => {
      const before = text.slice(Math.max(0, index - 80), index)
      const after = text.slice(index + found.length, index + found.length + 40)
      const [head = ''] = /[^.!?\n]*$/.exec(before) ?? []
      if (ofAnotherThing.test(head) || /^[^.!?\n]{0,20}\b(?:each|per)\b/i.test(after)) return []
      const named = numberNames.indexOf(amount.toLowerCase())
      const limit = named === -1 ? Number(amount) : named + 1
      return [{ text: found, isMet: isWithin(countOf(of, answer), bound, limit, found) }]
    }),
  )
}

function isWithin(
  count: number,
  bound: keyof typeof bounds,
  limit: number,
  phrase: string,
): boolean {
  if (bound === 'exact') return count === limit
  if (bound === 'most')
    return /than\s+\S+\s+\w+$/i.test(phrase) && /^(?:fewer|less)/i.test(phrase)
      ? count < limit
      : count <= limit
  return /^more/i.test(phrase) ? count > limit : count >= limit
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const hasLetter = /[\p{L}\p{N}]/u

function countOf(unitName: string, answer: string): number {
  const text = answer.slice(0, lengthMax)
  const name = unitName.toLowerCase()
  if (name.startsWith('word'))
    return text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.,-]*/gu)?.length ?? 0
  if (name.startsWith('sentence')) {
    return Array.from(sentences.segment(text), (one) => one.segment).filter((one) =>
      hasLetter.test(one),
    ).length
  }
  if (name.startsWith('character')) return answer.trim().length
  if (name.startsWith('paragraph')) {
    return text.split(/\n\s*\n/).filter((one) => hasLetter.test(one)).length
  }
  return text.match(/^\s*(?:[-*•]|\d{1,3}[.)])\s+\S/gm)?.length ?? 0
}

const jsonRequest =
  /\b(?:respond|answer|reply|output|return)\b[^.!?\n]{0,40}?\b(?:only |valid |in |as |with ){1,4}json\b(?! (?:lines|schema))/i

function findJson(text: string, answer: string): Constraint[] {
  const [found] = jsonRequest.exec(text) ?? []
  if (found === undefined) return []
  const plain = answer.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1')
  return [{ text: found, isMet: parseJson(plain).is === 'valid' }]
}

function findLanguage(text: string, answer: string): Constraint[] {
  const requested = findRequestedLanguages(text)
  const actual = detectLanguage(answer)
  if (requested.length === 0 || actual === undefined) return []
  const names = requested.map((code) => languageNames.of(code) ?? code)
  return [{ text: `in ${names.join(' or ')}`, isMet: requested.includes(actual) }]
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

const quoted = String.raw`["“']([^"”'\n]{2,80})["”']`
const required = new RegExp(
  String.raw`\b(?:include|mention|use|contain)s?\s{1,3}the\s{1,3}(?:exact\s{1,3})?(?:word|phrase|term|sentence)\s{1,3}${quoted}`,
  'gi',
)
const prohibited = new RegExp(
  String.raw`\b(?:do not|don't|never|avoid|without)\s{1,3}(?:use|using|mention|mentioning|say|saying|include|including|write|writing)\s{1,3}(?:the\s{1,3})?(?:(?:word|phrase|term)s?\s{1,3})?${quoted}`,
  'gi',
)
const negation = /\b(?:not|never|don't|avoid|without|if|when|unless)\b[^.!?\n]{0,40}$/i

function findWords(text: string, answer: string): Constraint[] {
  const lower = answer.toLowerCase()
  const has = (word: string) => lower.includes(word.toLowerCase())
  return [
    ...[...text.matchAll(required)]
      .filter(({ index }) => !negation.test(text.slice(Math.max(0, index - 80), index)))
      .map(({ 0: found, 1: word = '' }) => ({ text: found, isMet: has(word) })),
    ...[...text.matchAll(prohibited)].map(({ 0: found, 1: word = '' }) => ({
      ...{ text: found, isMet: !has(word) },
    })),
  ]
}
