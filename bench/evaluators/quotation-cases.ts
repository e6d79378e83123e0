import { pick, type Random, seededRandom } from '../../server/test/credential-samples.ts'
import { answeredTrace, integer, type LabeledCase } from './labeled-case.ts'

/*
 * Quotations from texts, exact but for case, marks and gaps, and the same with changed, added or moved words.
 */

const sources = [
  'Orders can be returned within 30 days of delivery. The customer pays for the parcel, unless the goods are damaged. Vouchers cannot be exchanged for money under any circumstances.',
  'The library opens at nine on weekdays and at eleven on Saturdays. Books may be borrowed for four weeks; films must be brought back after seven days, otherwise a fee is due.',
  'The pump starts when the water reaches the upper mark and stops at the lower one. Clean the filter every month, and never run the pump without water for more than a minute.',
  'Employees may work from home on two days a week after the first three months. Core hours are from ten to three, and meetings should not be planned outside of them.',
]

const exact: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join(' '),
  (words) => words.join(' ').toUpperCase(),
  (words) => `${words.join(' ').replace(/[.,;]/g, '')}.`,
  (words) => `${words.slice(0, 3).join(' ')} ... ${words.slice(-3).join(' ')}`,
  (words) => words.join('  '),
]

const changed: readonly ((words: readonly string[], random: Random) => string)[] = [
  (words, random) => words.with(integer(random, 1, words.length - 2), 'always').join(' '),
  (words) => [...words.slice(0, 3), 'not', 'ever', ...words.slice(3)].join(' '),
  (words) => words.toReversed().join(' '),
  (words) => [...words.slice(0, 4), 'for free and without limits'].join(' '),
  (words) => `${words.slice(-3).join(' ')} because of the weather and the wind`,
]

const roundsPerForm = 25

export function quotationCases(): LabeledCase[] {
  const random = seededRandom(3)
  const rounds = Array.from({ length: roundsPerForm })
  const all = rounds.flatMap(() => [
    ...exact.map((form) => toCase(random, form, false)),
    ...changed.map((form) => toCase(random, (words) => form(words, random), true)),
  ])
  return all
}

function toCase(
  random: Random,
  form: (words: readonly string[]) => string,
  isFaulty: boolean,
): LabeledCase {
  const source = pick(random, sources)
  const words = source.split(' ')
  const length = integer(random, 7, 11)
  const from = integer(random, 0, words.length - length)
  const quotation = form(words.slice(from, from + length))
  const answer = `The page says "${quotation}".`
  return {
    ...{ text: answer, isFaulty },
    isFoundSimply: !source.includes(quotation),
    trace: answeredTrace('What does the page say?', [{ text: source }], answer),
  }
}
