import type { ModelCall, TraceView } from '../../domain/trace-view/trace-view.ts'
import { findLanguage, formOf } from './answer-language.ts'
import { type AnswerFacts, answersMax, type ToneSign } from './run-facts.ts'

/*
 * How an agent writes, as far as rules find it: length, language, and signs of formality.
 */

const charactersMax = 4000

/** Of calls that end a turn: others are seen by tools only. */
export function readAnswers(view: TraceView, leaves: readonly ModelCall[]): AnswerFacts[] {
  const texts = leaves
    .filter(({ text, response }) => text.trim() !== '' && !response.some(hasCall))
    .map(({ span, text }) => ({ spanId: span.spanId, text }))
  const all = texts.length === 0 && view.output !== undefined ? [view.output] : texts
  return all.slice(-answersMax).map(({ spanId, text }) => ({ spanId, ...describe(text) }))
}

function hasCall({ parts }: ModelCall['response'][number]): boolean {
  return parts.some(({ is }) => is === 'call')
}

export function describe(whole: string): Omit<AnswerFacts, 'spanId'> {
  const text = whole.slice(0, charactersMax).toWellFormed()
  const words = wordsIn(text)
  const language = findLanguage(text, words)
  const signs: Partial<Record<ToneSign, string>> = {}
  for (const [sign, pattern] of signsOf(language)) {
    const found = pattern.exec(text)
    if (found !== null) signs[sign] = quoteAround(text, found.index, found[0].length)
  }
  // The length of what was cut follows from what was read.
  return {
    words: Math.round(words.length * (whole.length / Math.max(text.length, 1))),
    language,
    signs,
  }
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

function wordsIn(text: string): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike === true) words.push(segment.toLowerCase())
  }
  return words
}

function signsOf(language: string | null): readonly (readonly [ToneSign, RegExp])[] {
  const { formal, informal } = formOf(language)
  return [
    [
      'contractions',
      /\b(?:[a-z]+n['’]t|i['’]m|(?:you|we|they)['’](?:re|ll|ve)|i['’](?:ll|ve)|it['’]s|that['’]s|let['’]s)\b/i,
    ],
    ['exclamation_marks', /!(?=\s|$)/],
    ['emoji', /\p{Emoji_Presentation}/u],
    ...(formal === undefined ? [] : [['formal_address', formal] as const]),
    ...(informal === undefined ? [] : [['informal_address', informal] as const]),
    [
      'courtesy',
      /\b(?:please|thank you|thanks|sorry|apologi[sz]e|bitte|danke|entschuldig\w*|merci|désolée?|gracias|por favor|obrigad[oa]|grazie)\b/i,
    ],
    ['lists', /^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+\S[^\n]*\n+[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]/m],
  ]
}

const quoteMax = 120

/** Whole characters on both sides. */
function quoteAround(text: string, at: number, length: number): string {
  const before = Math.max(Math.floor((quoteMax - length) / 2), 0)
  const start = Math.max(at - before, 0)
  return text
    .slice(start, start + quoteMax)
    .toWellFormed()
    .replaceAll('\u{fffd}', '')
    .trim()
}
