import type { JudgedEvaluator } from '../judge/judge.ts'
import { definitionsBlock, questionBlock, runBlock } from '../judge/trace-blocks.ts'
import { notApplicable } from '../verdicts.ts'

const instructions =
  'Judge at each point where the agent could call a tool whether it decided well. Judge the choice, not the outcome: a good call can fail. If no definitions of tools are recorded, the tools that were called are all that there are.'

const criteria = [
  {
    id: 'calls-needed',
    question:
      'Was every call needed, because neither the conversation nor an earlier result already had what it is for? If in doubt, yes.',
  },
  {
    id: 'best-tool',
    question:
      'Was each called tool the best one available for its step? Answer no only if another one is clearly better. Not applicable without calls.',
    weight: 2,
  },
  {
    id: 'none-missing',
    question:
      'Did the agent call a tool wherever it needed one? Answer no only if an available tool would have changed the answer.',
    weight: 2,
  },
  {
    id: 'asked-when-unclear',
    question:
      'Did the agent ask the user instead of guessing, where information that a call requires was missing? Not applicable if nothing was missing.',
  },
  {
    id: 'order-sound',
    question:
      'Were the calls made in an order in which each had what it needs? Not applicable with fewer than two calls.',
  },
] as const

export const toolSelection: JudgedEvaluator = {
  key: 'agent.tool-selection',
  name: 'Right tools chosen',
  description:
    'A judge decides whether each tool call was needed and used the best tool available, whether none is missing, whether the agent asked when information was missing, and whether the order is sound. The score is the weighted share of yes. Does not apply to a trace with neither tool calls nor tool definitions, or without a request.',
  threshold: 0.7,
  use: 'warn',
  reads: ['messages', 'tool definitions', 'tool calls'],
  instructions,
  prepare(trace) {
    const { input, toolCalls, toolDefinitions } = trace
    if (toolCalls.length === 0 && toolDefinitions.length === 0) {
      return notApplicable('The trace has neither tool calls nor tool definitions.')
    }
    if (input === undefined) return notApplicable('The trace has no request of a user.')
    const tools = toolDefinitions.length === 0 ? [] : [definitionsBlock(trace)]
    return { instructions, criteria, blocks: [questionBlock(trace), ...tools, runBlock(trace)] }
  },
}
