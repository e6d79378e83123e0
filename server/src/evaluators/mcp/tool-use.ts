import type { JudgedEvaluator } from '../judge/judge.ts'
import { answerBlock, callsBlock, definitionsBlock, questionBlock } from '../judge/trace-blocks.ts'
import { notApplicable } from '../verdicts.ts'

const instructions =
  'Judge how the agent used the servers, tools and resources of the Model Context Protocol. The tools block has what the servers offer, as far as it is recorded; the calls block has what was called.'

const criteria = [
  {
    id: 'right-primitive',
    question:
      'Was each call made to the server and tool that fits its purpose best? Answer no only if another one is clearly better. Not applicable without calls.',
    part: 'primitives',
  },
  {
    id: 'none-missing',
    question:
      'Were all tools or resources used that the request needs? Answer no only if an unused one would have changed the answer.',
    part: 'primitives',
  },
  {
    id: 'results-used',
    question:
      'Does the answer rely on the results of the calls instead of ignoring them? Not applicable without calls.',
    part: 'primitives',
  },
  {
    id: 'arguments-express-intent',
    question:
      'Do the arguments of each call express what the user wants? If several values are reasonable, yes. Not applicable without calls.',
    part: 'arguments',
  },
  {
    id: 'arguments-known',
    question:
      'Are the values of the arguments from the request, an earlier result or a sensible default, instead of invented? If the origin is unclear, yes. Not applicable without calls.',
    part: 'arguments',
  },
] as const

export const toolUse: JudgedEvaluator = {
  key: 'mcp.tool-use',
  name: 'MCP primitives used well',
  description:
    'A judge decides whether the agent called the right servers and tools of the Model Context Protocol, missed none, used their results, and passed arguments that express the request. The score is the lower one of two parts: primitives and arguments. Does not apply to a trace without calls and tools of MCP, or without a request.',
  threshold: 0.7,
  use: 'warn',
  reads: ['tool definitions', 'tool calls', 'input', 'output'],
  instructions,
  prepare(trace) {
    const { input, output, toolCalls, toolDefinitions } = trace
    const calls = toolCalls.filter(({ isMcp }) => isMcp)
    const offered = toolDefinitions.filter(({ isMcp }) => isMcp)
    if (calls.length === 0 && offered.length === 0) {
      return notApplicable('The trace has no calls and no tools of MCP.')
    }
    if (input === undefined) return notApplicable('The trace has no request of a user.')
    return {
      instructions,
      criteria,
      blocks: [
        questionBlock(trace),
        ...(toolDefinitions.length === 0 ? [] : [definitionsBlock(trace)]),
        callsBlock('calls', calls),
        ...(output === undefined ? [] : [answerBlock(output)]),
      ],
      scoring: 'lowest_part',
    }
  },
}
