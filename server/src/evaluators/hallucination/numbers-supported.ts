import type { TraceView } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { hasMaterial, readSources } from '../source-texts.ts'
import { notApplicable, quotePart, scored } from '../verdicts.ts'
import { PresentValues } from './present-values.ts'
import { findQuantities, type Quantity } from './quantities.ts'

const checkedMax = 500

export const numbersSupported: DeterministicEvaluator = {
  key: 'hallucination.numbers-supported',
  name: 'Numbers supported',
  description:
    'The share of numbers, percentages, dates and times in the answer that the trace supports: in a message, a tool result, a retrieved item or memory, after rounding or a conversion of units, as the length, sum or mean of a list in a result, or as a sum, difference, ratio or percentage of two values when the trace has at most 60. Numbers of lists and steps, in code and in links do not count. Checks the first 500. A wrong number can occur elsewhere in the trace by chance. Does not apply to an answer without numbers, or to a trace without results and without longer text of the user.',
  threshold: 0.9,
  use: 'warn',
  reads: ['output', 'messages', 'tool calls', 'retrieved items', 'memory operations'],
  evaluate(trace) {
    const { output } = trace
    if (output === undefined) return notApplicable('The trace has no answer.')
    const stated = statedIn(output.text)
    if (stated.length === 0) return notApplicable('The answer has no numbers.')
    const sources = readSources(trace)
    if (!hasMaterial(sources)) {
      return notApplicable('The trace has no results that the numbers could come from.')
    }
    const present = new PresentValues(
      sources.map(({ text }) => text),
      resultsIn(trace),
    )
    const unsupported = stated.filter((one) => !present.supports(one))
    const supported = stated.length - unsupported.length
    const issues = unsupported.map(
      ({ start, end }) => `${output.text.slice(start, end).trim()} occurs nowhere in the trace.`,
    )
    const reasoning =
      unsupported.length === 0
        ? `All ${stated.length} numbers of the answer come from the trace.`
        : `${supported} of ${stated.length} numbers of the answer come from the trace. ${issues[0]}`
    const evidence = unsupported.map(({ start, end }) => quotePart(output, start, end))
    return scored(supported / stated.length, reasoning, { issues, evidence })
  },
}

function resultsIn({ toolCalls, memoryOperations, retrievals }: TraceView) {
  return [
    ...toolCalls.map(({ output }) => output),
    ...memoryOperations.flatMap(({ operation, value }) => (operation === 'read' ? [value] : [])),
    ...retrievals.map(({ items }) => items.map(({ id }) => id)),
  ]
}

/** Things that an answer counts itself. */
const countedPattern =
  /^\s{0,2}(?:main |key |different |possible |simple |quick |other )?(?:steps?|options?|ways?|things?|items?|points?|reasons?|examples?|tips?|questions?|parts?|sections?|choices?|ideas?|sentences?|paragraphs?|words?|bullets?|categories|types?)\b/i
const labelPattern =
  /(?:^|\n)[ \t>*_#-]{0,12}(?:step|option|part|phase|chapter|section|figure|table|example|item|no\.?|nr\.?)?[ \t]{0,2}\*{0,2}$/i

function statedIn(text: string): readonly Quantity[] {
  const plain = text
    .slice(0, 100_000)
    .replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+/g, (part) => ' '.repeat(part.length))
  return findQuantities(plain)
    .filter((one) => !isLabel(plain, one))
    .slice(0, checkedMax)
}

/** The number of a list item, a heading or a citation, or of things that the answer itself lists. */
function isLabel(text: string, { kind, start, end, value }: Quantity): boolean {
  if (kind !== 'number' || value > 99) return false
  const before = text.slice(Math.max(0, start - 30), start)
  const after = text.slice(end, end + 40)
  const isListed = labelPattern.test(before) && /^[.):*\]]/.test(after)
  const isNamed = /\b(?:step|option|part|phase|chapter|section|figure|table|example)[ \t]$/i.test(
    before,
  )
  const isCitation = /[[【(^]$/.test(before) && /^[\]】]/.test(after)
  return isListed || isNamed || isCitation || countedPattern.test(after)
}
