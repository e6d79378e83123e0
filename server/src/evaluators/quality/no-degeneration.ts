import type { ModelCall, SpanText } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { formatShare } from '../quantities.ts'
import { textMax, wordsIn } from '../texts.ts'
import { notApplicable, quoteText, scored } from '../verdicts.ts'

/** Fewer words repeat by chance. */
const wordsMin = 20
const runLength = 4
/** Ordinary texts repeat up to this share of their runs of four words. */
const ordinaryShare = 0.2
const lineRepeatsMax = 5
/** Of all answers together. */
const totalMax = 2_000_000

export const noDegeneration: DeterministicEvaluator = {
  key: 'quality.no-degeneration',
  name: 'No degenerate repetition',
  description:
    'No answer of a model repeats itself endlessly. The worst answer counts: its score falls from 1 to 0 while the share of runs of four words that occur again in it rises from 20 % to 70 %, and is 0 if one line of several words occurs more than five times in a row. Reads the first 100 kB of each answer, outside of code blocks. Does not apply when no answer has 20 words.',
  threshold: 0.7,
  use: 'gate',
  reads: ['model calls', 'output'],
  evaluate({ modelCalls, output }) {
    let left = totalMax
    const texts: SpanText[] = []
    for (const { spanId, text } of answers(modelCalls, output)) {
      if (left <= 0) break
      texts.push({ spanId, text: text.slice(0, Math.min(left, textMax)) })
      left -= Math.min(text.length, textMax)
    }
    const rated = texts.flatMap((text) => {
      const found = rate(text)
      return found === undefined ? [] : [found]
    })
    const [worst] = rated.toSorted((a, b) => a.score - b.score)
    if (worst === undefined) return notApplicable('No answer of the trace has 20 words.')
    const share = formatShare(worst.repeatedShare)
    if (worst.line !== undefined) {
      const issue = `A line occurs more than ${lineRepeatsMax} times in a row: "${worst.line.slice(0, 80)}".`
      const evidence = [quoteText({ spanId: worst.spanId, text: worst.line })]
      return scored(0, issue, { issues: [issue], evidence })
    }
    const reasoning = `In the most repetitive of ${rated.length} answers, ${share} of the runs of four words occur again.`
    if (worst.score >= 0.7) return scored(worst.score, reasoning)
    const evidence = [quoteText({ spanId: worst.spanId, text: worst.text })]
    return scored(worst.score, reasoning, { issues: [reasoning], evidence })
  },
}

/** A trace without model calls may have an answer. */
function answers(calls: readonly ModelCall[], output: SpanText | undefined): SpanText[] {
  const own = calls.map(({ span, text }) => ({ spanId: span.spanId, text }))
  return own.length === 0 && output !== undefined ? [output] : own
}

interface Rated {
  readonly spanId: string
  readonly text: string
  readonly score: number
  readonly repeatedShare: number
  readonly line?: string
}

function rate({ spanId, text }: SpanText): Rated | undefined {
  const prose = withoutCode(text)
  const words = wordsIn(prose)
  if (words.length < wordsMin) return undefined
  const line = findRepeatedLine(prose)
  const repeatedShare = shareOfRepeatedRuns(words)
  const score = Math.max(0, Math.min(1, 1 - (repeatedShare - ordinaryShare) / 0.5))
  return { spanId, text, score, repeatedShare, ...(line !== undefined && { line, score: 0 }) }
}

/** Code and tables repeat themselves by nature. */
function withoutCode(text: string): string {
  let isCode = false
  const lines = text.split('\n').filter((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    return !isFence && !isCode && !/^\s*\|/.test(line)
  })
  return lines.join('\n')
}

function shareOfRepeatedRuns(words: readonly string[]): number {
  const seen = new Set<string>()
  const runs = words.length - runLength + 1
  for (let n = 0; n < runs; n++) seen.add(words.slice(n, n + runLength).join(' '))
  return 1 - seen.size / runs
}

function findRepeatedLine(text: string): string | undefined {
  let repeats = 0
  let last = ''
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    repeats = line === last ? repeats + 1 : 1
    last = line
    if (repeats > lineRepeatsMax && wordsIn(line).length > 1) return line
  }
  return undefined
}
