import type { JudgedEvaluator } from '../judge/judge.ts'
import { answerBlock, questionBlock } from '../judge/trace-blocks.ts'
import { notApplicable } from '../verdicts.ts'

const instructions =
  'Judge whether the answer is about the question, not whether it is right. A justified refusal, and a request for details without which no answer is possible, address the question.'

const criteria = [
  {
    id: 'addresses-question',
    question: 'Does the answer address what was asked? If the question is ambiguous, yes.',
    weight: 2,
  },
  {
    id: 'on-topic',
    question:
      'Is every statement of the answer on the topic of the question? If a remark helps with it, yes.',
  },
  {
    id: 'every-part',
    question: 'Does the answer address each part of the question? If it has only one, yes.',
  },
  {
    id: 'need-not-ask-again',
    question:
      'Could the user go on without asking the same question again? If the answer needs details from the user first, yes.',
    weight: 2,
  },
] as const

export const answerRelevance: JudgedEvaluator = {
  key: 'relevance.answer',
  name: 'Answer addresses the question',
  description:
    'A judge decides whether the answer addresses the question and each of its parts, stays on the topic, and spares the user from asking again. Whether it is right does not matter. The score is the weighted share of yes. Does not apply to a trace without a question or an answer.',
  threshold: 0.7,
  use: 'warn',
  reads: ['input', 'output'],
  instructions,
  prepare(trace) {
    const { input, output } = trace
    if (input === undefined) return notApplicable('The trace has no question.')
    if (output === undefined) return notApplicable('The trace has no answer.')
    return { instructions, criteria, blocks: [questionBlock(trace), answerBlock(output)] }
  },
}
