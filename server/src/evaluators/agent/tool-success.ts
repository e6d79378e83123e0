import type { ToolCall } from '../../domain/trace-view/trace-view.ts'
import { formatCount, someOf } from '../counted.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { quoteIn } from './quote-call.ts'

export const toolSuccess: DeterministicEvaluator = {
  key: 'agent.tool-success',
  name: 'Tool calls succeed',
  description:
    'The share of tool calls that succeed. A call failed if its span is in error or its result is an error; a failed call counts half if the same tool succeeds later. Does not apply to a trace without tool calls that ran.',
  threshold: 0.9,
  use: 'gate',
  reads: ['tool calls'],
  evaluate({ toolCalls }) {
    const ran = toolCalls.filter(
      ({ output, error, hasOwnSpan }) => hasOwnSpan || (output ?? error) !== undefined,
    )
    if (ran.length === 0) return notApplicable('The trace has no tool calls.')
    const failed = ran.filter(({ error }) => error !== undefined)
    const repaired = findRepaired(ran)
    const points = ran.length - failed.length + 0.5 * repaired.size
    const issues = failed.map(
      (call) =>
        `${call.name} failed${repaired.has(call) ? ' and succeeded later' : ''}: ${call.error}`,
    )
    const summary =
      failed.length === 0
        ? ran.length === 1
          ? 'The only tool call succeeded.'
          : `All ${formatCount(ran.length)} tool calls succeeded.`
        : ran.length === 1
          ? `The only tool call failed: ${failed[0]!.name}, ${failed[0]!.error}`
          : `${someOf(failed.length, ran.length, ['tool call', 'tool calls'])} failed. ${issues[0]}`
    const evidence = failed
      .values()
      .map(({ span, output, input }) => quoteIn(span, span.statusMessage ?? output ?? input))
    return scored(points / ran.length, summary, { issues, evidence })
  },
}

/** Failed calls of tools that succeed later. */
function findRepaired(ran: readonly ToolCall[]): ReadonlySet<ToolCall> {
  const succeeded = new Set<string>()
  const repaired = new Set<ToolCall>()
  for (const call of ran.toReversed()) {
    if (call.error === undefined) succeeded.add(call.name)
    else if (succeeded.has(call.name)) repaired.add(call)
  }
  return repaired
}
