import { textOf } from '../../domain/trace-view/canonical-json.ts'
import type { JudgedEvaluator } from '../judge/judge.ts'
import { answerBlock, callsBlock, questionBlock } from '../judge/trace-blocks.ts'
import { notApplicable } from '../verdicts.ts'

const instructions =
  'Judge whether the answer is correct and complete. The results of tools and the reference, where there are any, are right; general knowledge decides the rest. Differences of wording, order and format are not errors.'

const criteria = [
  {
    id: 'answers-question',
    question:
      'Does the answer respond to the question that was asked? A request for details that are missing counts as yes.',
  },
  {
    id: 'complete',
    question:
      'Does the answer cover every part of the question? If it is unclear whether something is a part of its own, answer yes.',
  },
  {
    id: 'facts-right',
    question:
      'Are the statements of the answer right? Answer no only for a statement that is clearly wrong.',
    weight: 2,
  },
  {
    id: 'no-contradiction',
    question: 'Is the answer free of contradictions in itself? If two readings are possible, yes.',
  },
] as const

const ofResults = {
  id: 'agrees-with-results',
  question:
    'Does the answer agree with the results of the tools? What they leave open is no disagreement.',
  weight: 2,
}
const ofReference = {
  id: 'agrees-with-reference',
  question:
    'Does the answer agree with the reference in what matters? More detail than the reference has is no disagreement.',
  weight: 3,
}

export const correctness: JudgedEvaluator = {
  key: 'quality.correctness',
  name: 'Correct and complete',
  description:
    'A judge decides whether the answer responds to the question, covers all of its parts, states what is right, does not contradict itself, and agrees with the results of tools and with `eval.expected_output`, where there are any. The score is the weighted share of yes. Does not apply to a trace without a question or an answer.',
  threshold: 0.7,
  use: 'warn',
  reads: ['input', 'output', 'tool calls', 'eval.expected_output'],
  instructions,
  prepare(trace) {
    const { input, output, toolCalls, expectations, root } = trace
    if (input === undefined) return notApplicable('The trace has no question.')
    if (output === undefined) return notApplicable('The trace has no answer.')
    const returned = toolCalls.filter((call) => call.output !== undefined)
    const reference = textOf(expectations.get('expected_output'))
    const hasReference = reference.trim() !== '' && root !== undefined
    return {
      instructions,
      criteria: [
        ...criteria,
        ...(returned.length > 0 ? [ofResults] : []),
        ...(hasReference ? [ofReference] : []),
      ],
      blocks: [
        questionBlock(trace),
        answerBlock(output),
        ...(returned.length > 0 ? [callsBlock('results', returned)] : []),
        ...(hasReference
          ? [
              {
                name: 'reference',
                segments: [{ spanId: root.spanId, text: reference.slice(0, 40_000) }],
              },
            ]
          : []),
      ],
    }
  },
}
