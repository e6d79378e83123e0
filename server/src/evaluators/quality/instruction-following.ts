import type { Decision, JudgedEvaluator } from '../judge/judge.ts'
import { answerBlock, questionBlock, systemBlocks } from '../judge/trace-blocks.ts'
import { notApplicable, quoteText } from '../verdicts.ts'
import { findConstraints } from './explicit-constraints.ts'

const instructions =
  'Judge whether the answer follows the instructions of the system prompt and of the user. Where they disagree, the system prompt decides. Only explicit instructions count; what would merely be better style is not an objection. Lengths, counts, languages, JSON, and words that must or must not occur are checked elsewhere: leave them out.'

const criteria = [
  {
    id: 'does-what-was-asked',
    question:
      'Does the answer do what the user requested, such as summarize, compare or translate? If the request is open, yes.',
  },
  {
    id: 'content-as-instructed',
    question:
      'Does the answer contain everything that an instruction explicitly requires? Not applicable without such an instruction.',
  },
  {
    id: 'nothing-prohibited',
    question:
      'Does the answer avoid everything that an instruction prohibits? Not applicable without a prohibition.',
  },
  {
    id: 'form-as-instructed',
    question:
      'Does the answer have the structure, tone and perspective that are explicitly required? Not applicable without such a requirement.',
  },
  {
    id: 'conditions-kept',
    question:
      'Are instructions that hold under a condition followed exactly where the condition holds? Not applicable without one; if it is unclear whether it holds, yes.',
  },
] as const

export const instructionFollowing: JudgedEvaluator = {
  key: 'quality.instruction-following',
  name: 'Instructions followed',
  description:
    'Whether the answer follows the explicit instructions of the system prompt and the user. Code decides on lengths, JSON, languages, and quoted words that must or must not occur, where they are requested in English; a judge decides on content, prohibitions, structure, tone and conditions. The score is the share of yes among both. Does not apply to a trace without a question or an answer.',
  threshold: 0.8,
  use: 'warn',
  reads: ['system prompt', 'input', 'output'],
  instructions,
  prepare(trace) {
    const { input, output, system } = trace
    if (input === undefined) return notApplicable('The trace has no question.')
    if (output === undefined) return notApplicable('The trace has no answer.')
    const sources = [...(system === undefined ? [] : [system]), input]
    const decided = findConstraints(sources, output.text).map(
      ({ text, isMet }, index): Decision => ({
        criterion: {
          id: `constraint-${index + 1}`,
          question: 'Is the constraint met?',
          subject: `Does the answer meet "${text}"?`,
        },
        value: isMet ? 1 : 0,
        evidence: isMet ? [] : [quoteText(output)],
        isProven: true,
      }),
    )
    const blocks = [...systemBlocks(trace), questionBlock(trace), answerBlock(output)]
    return { instructions, criteria, decided, blocks }
  },
}
