import { type RecordedTone, toneSigns } from '@assay/contract/trace-runs.ts'
import type { AnswerFacts, ToneSign } from './run-facts.ts'
import { quantile } from './run-volumes.ts'

/*
 * The tone of an agent, from signs that rules find in its answers. Each sign has a quote.
 */

interface Answer {
  readonly traceId: string
  readonly facts: AnswerFacts
}

/** Of the answers that must have a sign, or a language. */
const usualShare = 0.3
const languageShare = 0.6

export function combineTone(answers: readonly Answer[]): RecordedTone {
  const signs = toneSigns.flatMap((sign) => findSign(sign, answers))
  const words = answers.map(({ facts }) => facts.words)
  const language = findLanguage(answers)
  const isUsual = (...names: readonly ToneSign[]) =>
    signs.some((one) => names.includes(one.sign) && one.answers >= usualShare * answers.length)
  const isFormal = isUsual('formal_address')
  const isInformal = isUsual('contractions', 'emoji', 'informal_address')
  const formality =
    isFormal === isInformal
      ? ('neutral' as const)
      : isFormal
        ? ('formal' as const)
        : ('informal' as const)
  const length =
    words.length === 0 ? undefined : { p50: quantile(words, 0.5), p90: quantile(words, 0.9) }
  const text =
    length === undefined
      ? ''
      : [
          `Answer${language === null ? '' : ` in ${language}`} in about ${Math.round(length.p50)} words, rarely more than ${Math.round(length.p90)}.`,
          ...(formality === 'neutral' ? [] : [`Write in ${article[formality]} tone.`]),
          ...(isUsual('lists') ? ['Use lists.'] : []),
        ].join(' ')
  return {
    ...{ text, answers: answers.length, language, formality, signs },
    ...{ wordsP50: length?.p50 ?? null, wordsP90: length?.p90 ?? null },
  }
}

const article = { formal: 'a formal', informal: 'an informal' } as const

function findSign(sign: ToneSign, answers: readonly Answer[]): RecordedTone['signs'] {
  const having = answers.filter(({ facts }) => facts.signs[sign] !== undefined)
  const last = having.at(-1)
  if (last === undefined) return []
  const { traceId, facts } = last
  const quote = facts.signs[sign] ?? ''
  return [{ sign, answers: having.length, quote, traceId, spanId: facts.spanId }]
}

function findLanguage(answers: readonly Answer[]): string | null {
  const known = answers.flatMap(({ facts }) => (facts.language === null ? [] : [facts.language]))
  const [most] = [...Map.groupBy(known, (name) => name)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  return most !== undefined && most[1].length >= languageShare * known.length ? most[0] : null
}
