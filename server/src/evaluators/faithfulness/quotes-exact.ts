import type { DeterministicEvaluator } from '../evaluator.ts'
import { hasMaterial, readSources } from '../source-texts.ts'
import { type Check, notApplicable, quotePart, shareOfGood } from '../verdicts.ts'
import { QuoteIndex } from './quote-index.ts'

const quotesMax = 100
const wordsMin = 3

export const quotesExact: DeterministicEvaluator = {
  key: 'faithfulness.quotes-exact',
  name: 'Quotes are exact',
  description:
    'The share of quotations of at least 3 words in the answer that occur in a message, a tool result, a retrieved item or memory. Case, punctuation and the form of quotation marks do not matter, an ellipsis stands for any text, and a quotation may differ from the source in 5% of its characters. Checks the first 100. Does not apply to an answer without quotations, or to a trace without results and without longer text of the user.',
  threshold: 1,
  use: 'gate',
  reads: ['output', 'messages', 'tool calls', 'retrieved items', 'memory operations'],
  evaluate(trace) {
    const { output } = trace
    if (output === undefined) return notApplicable('The trace has no answer.')
    const quotations = findQuotations(output.text)
    if (quotations.length === 0) return notApplicable('The answer has no quotations.')
    const sources = readSources(trace)
    if (!hasMaterial(sources)) {
      return notApplicable('The trace has no results that the quotations could come from.')
    }
    const index = new QuoteIndex(sources.map(({ text }) => text))
    const checks = quotations.map(({ text, start, end }): Check => {
      const parts = text.split(/\[?(?:\.{3}|…)\]?/).filter((part) => countWords(part) > 0)
      const wrong = parts.find((part) => !index.contains(part.replace(/\[[^\]]{0,60}\]/g, ' ')))
      return {
        isGood: wrong === undefined,
        issue: `No source contains "${wrong?.trim().slice(0, 200)}".`,
        evidence: () => quotePart(output, start, end),
      }
    })
    return shareOfGood(checks, ['quotation', 'quotations'])
  },
}

interface Quotation {
  readonly text: string
  readonly start: number
  readonly end: number
}

const quotationPattern =
  /"([^"\n]{8,2000})"|“([^“”\n]{8,2000})”|«([^«»\n]{8,2000})»|„([^„“”\n]{8,2000})[“”]|「([^「」\n]{4,2000})」/g

function findQuotations(text: string): readonly Quotation[] {
  const plain = text
    .slice(0, 100_000)
    .replace(/```[\s\S]*?(?:```|$)/g, (code) => ' '.repeat(code.length))
    // Code within a quotation is skipped like an ellipsis.
    .replace(/`[^`\n]*`/g, (code) => '…'.padEnd(code.length))
  return [...plain.matchAll(quotationPattern)]
    .map((match) => ({
      text: match.slice(1).find((one) => one !== undefined) ?? '',
      start: match.index,
      end: match.index + match[0].length,
    }))
    .filter((one) => countWords(one.text) >= wordsMin)
    .slice(0, quotesMax)
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Also of languages that are written without spaces. */
function countWords(text: string): number {
  let count = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike === true) count += 1
  return count
}
