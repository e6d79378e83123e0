import type { ToolCall } from '../../domain/trace-view/trace-view.ts'
import { formatCount } from '../counted.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { callKey } from './call-keys.ts'
import { quoteCalls } from './quote-call.ts'

const callsMax = 10_000

export const noRedundantCalls: DeterministicEvaluator = {
  key: 'agent.no-redundant-calls',
  name: 'No redundant calls',
  description:
    'The share of tool calls that do not repeat an earlier one: the same tool with the same arguments and the same result. Calls whose result changed, and calls that failed, are not redundant. Reads the first 10,000 calls. Does not apply to a trace without tool calls that returned a result.',
  threshold: 0.8,
  use: 'warn',
  reads: ['tool calls'],
  evaluate({ toolCalls }) {
    const returned = toolCalls
      .slice(0, callsMax)
      .filter(({ output, error }) => output !== undefined && output !== null && error === undefined)
    if (returned.length === 0) return notApplicable('The trace has no results of tool calls.')
    const seen = new Set<string>()
    const redundant: ToolCall[] = []
    for (const call of returned) {
      const key = callKey(call)
      if (seen.has(key)) redundant.push(call)
      seen.add(key)
    }
    if (redundant.length === 0)
      return scored(
        1,
        returned.length === 1
          ? 'There is only one tool call.'
          : `None of ${formatCount(returned.length)} tool calls repeats another.`,
      )
    const issues = [...Map.groupBy(redundant, ({ name }) => name)].map(
      ([name, own]) =>
        `${name} repeated earlier calls ${own.length === 1 ? 'once' : `${own.length} times`}.`,
    )
    const reasoning = `${formatCount(redundant.length)} of ${formatCount(returned.length)} tool calls repeat an earlier one with the same result. ${issues[0]}`
    const evidence = quoteCalls(redundant, ({ input }) => input)
    return scored(1 - redundant.length / returned.length, reasoning, { issues, evidence })
  },
}
