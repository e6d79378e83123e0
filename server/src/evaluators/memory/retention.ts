import type { JudgedEvaluator } from '../judge/judge.ts'
import { conversationBlock } from '../judge/trace-blocks.ts'
import { notApplicable } from '../verdicts.ts'

const instructions =
  'Judge whether the assistant remembers what the user stated. List each fact, preference or decision that the user stated and that a later answer of the assistant had to take into account. "yes": later answers take it into account. "no": a later answer contradicts it, ignores it, or asks for it again; quote that answer. When the user corrects a statement, only the correction counts. Small talk and facts that no later answer needs are not listed.'

export const retention: JudgedEvaluator = {
  key: 'memory.retention',
  name: 'Remembers the conversation',
  description:
    'A judge lists what the user stated and later answers had to take into account, and decides for each whether they do, or contradict it, or ask for it again. The score is the share that is remembered. Does not apply to a conversation with fewer than two messages of the user with an answer to the later ones, or in which nothing had to be remembered.',
  threshold: 0.8,
  use: 'warn',
  reads: ['messages'],
  instructions,
  prepare(trace) {
    const said = trace.messages.filter(({ text }) => text.trim() !== '')
    const users = said.filter(({ role }) => role === 'user')
    if (users.length < 2) return notApplicable('The trace has fewer than two messages of a user.')
    const second = said.indexOf(users[1]!)
    if (!said.slice(second).some(({ role }) => role === 'assistant')) {
      return notApplicable('The trace has no answer after the second message of the user.')
    }
    return { instructions, criteria: [], blocks: [conversationBlock(trace)] }
  },
}
