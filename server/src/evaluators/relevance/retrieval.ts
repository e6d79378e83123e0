import { toBlock } from '../judge/blocks.ts'
import type { JudgedEvaluator } from '../judge/judge.ts'
import { subjectMax } from '../judge/passages.ts'
import { questionBlock } from '../judge/trace-blocks.ts'
import { notApplicable } from '../verdicts.ts'

const instructions =
  'Judge for each retrieved item whether it helps to answer the question, or the query that it was retrieved for. An item that is about the same topic but has nothing to answer with does not help.'

const itemsMax = 30
/** About 30,000 tokens. */
const retrievedLengthMax = 120_000

export const retrievalRelevance: JudgedEvaluator = {
  key: 'relevance.retrieval',
  name: 'Retrieved items relevant',
  description:
    'A judge decides for each retrieved item whether it helps to answer the question. The score is the average precision: relevant items count more the higher they are ranked. With several retrievals it is the mean of theirs. Reads the first 30 items. Does not apply to a trace without retrieved items or a question.',
  threshold: 0.6,
  use: 'warn',
  reads: ['input', 'retrieved items'],
  instructions,
  prepare(trace) {
    if (trace.input === undefined) return notApplicable('The trace has no question.')
    const items = trace.retrievals
      .flatMap(({ query, items: found }, retrieval) =>
        found.map(({ spanId, text }) => ({ spanId, text, query, part: `retrieval-${retrieval}` })),
      )
      .slice(0, itemsMax)
    if (items.length === 0) return notApplicable('The trace has no retrieved items.')
    const lengthMax = Math.floor(retrievedLengthMax / items.length)
    const segments = items.flatMap(({ spanId, text, query }, index) => [
      { spanId, title: `${idOf(index)}, query:`, text: query.slice(0, 1000) },
      ...toBlock('', [{ spanId, title: `${idOf(index)}:`, text }], lengthMax).segments,
    ])
    return {
      instructions,
      criteria: items.map(({ part, text }, index) => ({
        ...{ id: idOf(index), part, subject: text.slice(0, subjectMax).toWellFormed() },
        question: `Does ${idOf(index)} help to answer the question? If only a part of it does, yes.`,
      })),
      blocks: [questionBlock(trace), { name: 'retrieved', segments }],
      scoring: 'average_precision',
    }
  },
}

function idOf(index: number): string {
  return `item-${index + 1}`
}
