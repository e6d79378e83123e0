import type { JudgedEvaluator } from '../judge/judge.ts'
import { passageBlock, passageCriteria, passagesOf } from '../judge/passages.ts'
import { questionBlock } from '../judge/trace-blocks.ts'
import { notApplicable } from '../verdicts.ts'

const instructions =
  'Judge which passages of the answer could be removed without a loss to the user. Removable are preambles, filler, repetitions, announcements of what follows, and sections that nobody requested. Length alone is not an objection: details that help with the question are needed, and so are greetings of a few words, warnings, and sources.'

export const conciseness: JudgedEvaluator = {
  key: 'quality.conciseness',
  name: 'Concise',
  description:
    'A judge decides for each passage of the answer whether it is needed: no preamble, filler, repetition or section that nobody requested. The score is the share of needed passages, whatever the length of the answer. Passages are sentences; the middle of a long answer has passages of several sentences. Reads the first and the last 20,000 characters. Does not apply to an answer of a single sentence.',
  threshold: 0.6,
  use: 'warn',
  reads: ['input', 'output'],
  instructions,
  prepare(trace) {
    const { input, output } = trace
    if (input === undefined) return notApplicable('The trace has no question.')
    if (output === undefined) return notApplicable('The trace has no answer.')
    const passages = passagesOf(output.text)
    if (passages.length < 2) return notApplicable('The answer is not longer than one sentence.')
    return {
      instructions,
      criteria: passageCriteria(
        passages,
        (id) =>
          `Is ${id} of the answer needed? Answer no only if the user would lose nothing without it.`,
      ),
      blocks: [questionBlock(trace), passageBlock(output, passages)],
    }
  },
}
