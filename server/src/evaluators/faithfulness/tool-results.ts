import type { JudgedEvaluator } from '../judge/judge.ts'
import { answerBlock, callsBlock, questionBlock } from '../judge/trace-blocks.ts'
import { notApplicable } from '../verdicts.ts'

const instructions =
  'Judge whether the answer reports the results of the tools truthfully. Rounding that is evident, and leaving out what the user did not ask for, are fine.'

const criteria = [
  {
    id: 'values-copied',
    question:
      'Are names, numbers and identifiers in the answer those of the results? Answer no only for a value that differs from the result it is from. Not applicable if the answer has none.',
    weight: 2,
  },
  {
    id: 'values-converted',
    question:
      'Are units, dates, currencies and sums converted rightly? Not applicable if nothing is converted.',
  },
  {
    id: 'errors-disclosed',
    question:
      'Does the answer disclose the errors that affect it? Not applicable if no call failed, or a later call repaired it.',
    weight: 2,
  },
  {
    id: 'nothing-added',
    question:
      'Is everything that the answer presents as a result in the results? If it is marked as general knowledge or as an estimate, yes.',
  },
  {
    id: 'meaning-kept',
    question:
      'Does the answer keep the meaning of the results, with their limits and uncertainty? Answer no only if a reader would act differently.',
  },
] as const

export const toolResults: JudgedEvaluator = {
  key: 'faithfulness.tool-results',
  name: 'Reports tool results truthfully',
  description:
    'A judge decides whether values are copied and converted rightly, errors disclosed, nothing added, and the meaning of the results kept. The score is the weighted share of yes. Does not apply to a trace without an answer or without a tool call that returned or failed.',
  threshold: 0.8,
  use: 'warn',
  reads: ['tool calls', 'input', 'output'],
  instructions,
  prepare(trace) {
    const { input, output, toolCalls } = trace
    if (output === undefined) return notApplicable('The trace has no answer.')
    const ended = toolCalls.filter((one) => one.output !== undefined || one.error !== undefined)
    if (ended.length === 0) return notApplicable('The trace has no results of tools.')
    const question = input === undefined ? [] : [questionBlock(trace)]
    const blocks = [...question, callsBlock('results', ended), answerBlock(output)]
    return { instructions, criteria, blocks }
  },
}
