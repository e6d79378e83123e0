import type { JudgedEvaluator } from '../judge/judge.ts'
import { conversationBlock, systemBlocks } from '../judge/trace-blocks.ts'
import { notApplicable } from '../verdicts.ts'

const instructions =
  'Judge whether the assistant stays within the topics and the role that the system prompt sets. Work out from the system prompt what is in scope. If it sets no limits, everything is in scope. Greetings, thanks, and one sentence that leads back to the topic are in scope.'

const criteria = [
  {
    id: 'answers-in-scope-only',
    question:
      'Does the assistant answer only what is in scope? Answer no only for an answer that goes into a topic outside of it.',
    part: 'outside',
  },
  {
    id: 'declines-out-of-scope',
    question:
      'Does the assistant decline or redirect requests out of scope? Not applicable without any.',
    part: 'outside',
  },
  {
    id: 'serves-scope',
    question:
      'Does the assistant take on every request that is in scope? If it is unclear whether one is, yes.',
    part: 'inside',
  },
  {
    id: 'keeps-role',
    question:
      'Does the assistant keep the role and the tone that the system prompt sets? Not applicable if it sets none.',
    part: 'inside',
  },
] as const

export const inScope: JudgedEvaluator = {
  key: 'relevance.in-scope',
  name: 'Stays in scope',
  description:
    'A judge decides whether the assistant answers only what the system prompt permits, and serves everything that it permits in the role that it sets. The score is the lower one of both sides. Does not apply to a trace without a system prompt or an answer of an assistant.',
  threshold: 0.8,
  use: 'warn',
  reads: ['system prompt', 'messages'],
  instructions,
  prepare(trace) {
    const system = systemBlocks(trace)
    if (system.length === 0) return notApplicable('The trace has no system prompt.')
    const { messages } = trace
    if (!messages.some(({ role, text }) => role === 'assistant' && text.trim() !== '')) {
      return notApplicable('The trace has no answer of an assistant.')
    }
    const blocks = [...system, conversationBlock(trace)]
    return { instructions, criteria, blocks, scoring: 'lowest_part' }
  },
}
