import type { ModelCall, TraceView } from '../../domain/trace-view/trace-view.ts'
import { formatCount } from '../counted.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { formatShare, formatUsd } from '../quantities.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { readBudget } from './budget.ts'

const defaultBudgetUsd = 0.1

export const cost: DeterministicEvaluator = {
  key: 'performance.cost',
  name: 'Cost and tokens within budget',
  description:
    'The trace costs no more than `eval.max_cost_usd`, or 0.10 USD without it, and uses no more tokens than `eval.max_tokens`, if that is set. Over a budget, the score is the budget divided by what was used; the lower of the two counts. Also reports the share of the context that was sent again and read from the cache. Does not apply when neither the cost nor a budget of tokens is known.',
  threshold: 1,
  use: 'gate',
  reads: ['tokens and cost', 'eval.max_cost_usd', 'eval.max_tokens'],
  evaluate(trace) {
    const { costUsd, tokensIn, tokensOut, expectations } = trace
    const tokens = tokensIn + tokensOut
    const maxTokens = readBudget(expectations, 'max_tokens')
    const maxUsd = readBudget(expectations, 'max_cost_usd') ?? defaultBudgetUsd
    const hasTokens = maxTokens !== undefined && tokens > 0
    if (costUsd === null && !hasTokens) {
      return notApplicable(
        'The trace has no known cost, and no tokens with a budget in `eval.max_tokens`.',
      )
    }
    const issues: string[] = []
    if (costUsd !== null && costUsd > maxUsd) {
      issues.push(
        `The trace cost ${formatUsd(costUsd)}, more than its budget of ${formatUsd(maxUsd)}.`,
      )
    }
    if (hasTokens && tokens > maxTokens) {
      issues.push(
        `The trace used ${formatCount(tokens)} tokens, more than its budget of ${formatCount(maxTokens)}.`,
      )
    }
    const score = Math.min(
      costUsd === null ? 1 : shareOf(maxUsd, costUsd),
      hasTokens ? shareOf(maxTokens, tokens) : 1,
    )
    const price = costUsd === null ? 'at an unknown price' : `for ${formatUsd(costUsd)}`
    const reasoning = `${issues.join(' ')} The trace used ${formatCount(tokensIn)} input and ${formatCount(tokensOut)} output tokens ${price}.${describeContext(trace)}`
    const evidence = issues.length === 0 ? [] : mostExpensive(trace)
    return scored(score, reasoning.trim(), { issues, evidence })
  },
}

function shareOf(budget: number, actual: number): number {
  return actual <= budget ? 1 : budget / actual
}

function describeContext({ modelCalls }: TraceView): string {
  const sent = modelCalls.reduce((sum, { span }) => sum + (span.tokensIn ?? 0), 0)
  const cached = modelCalls.reduce((sum, { span }) => sum + (span.tokensCacheRead ?? 0), 0)
  const resent = shareSentAgain(modelCalls)
  const parts = [
    ...(resent > 0 ? [`${formatShare(resent)} of the context was sent again`] : []),
    ...(sent > 0 && cached > 0
      ? [`${formatShare(Math.min(cached, sent) / sent)} of the input was read from the cache`]
      : []),
  ]
  return parts.length === 0 ? '' : ` ${parts.join(', and ')}.`
}

/** Of the characters of messages, those in messages that an earlier call contained. */
function shareSentAgain(modelCalls: readonly ModelCall[]): number {
  const seen = new Set<string>()
  let all = 0
  let again = 0
  for (const { messages } of modelCalls) {
    for (const { text } of messages) {
      all += text.length
      if (seen.has(text)) again += text.length
    }
    for (const { text } of messages) seen.add(text)
  }
  return all === 0 ? 0 : again / all
}

function mostExpensive({ modelCalls }: TraceView) {
  const weight = ({ span }: ModelCall) =>
    span.costUsd ?? (span.tokensIn ?? 0) + (span.tokensOut ?? 0)
  const calls = modelCalls.toSorted((a, b) => weight(b) - weight(a)).slice(0, 3)
  return calls.map(({ span }) => ({ spanId: span.spanId, quote: span.name }))
}
