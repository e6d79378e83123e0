import type { ViewSpan } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { formatDuration } from '../quantities.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { readBudget } from './budget.ts'

const defaultBudgetMs = 30_000

export const latency: DeterministicEvaluator = {
  key: 'performance.latency',
  name: 'Latency within budget',
  description:
    'The trace takes no longer than `eval.max_latency_ms`, or 30 seconds without it. The score of a slower one is the budget divided by its duration.',
  threshold: 1,
  use: 'gate',
  reads: ['timing', 'eval.max_latency_ms'],
  evaluate({ spans, durationMs, expectations }) {
    if (spans.length === 0) return notApplicable('The trace has no spans.')
    const budgetMs = readBudget(expectations, 'max_latency_ms') ?? defaultBudgetMs
    const slowest = slowestSpans(spans)
    const list = slowest.map(
      (span) => `${span.name} (${formatDuration(span.endedMs - span.startedMs)})`,
    )
    const reasoning = `The trace took ${formatDuration(durationMs)}; the budget is ${formatDuration(budgetMs)}. Slowest: ${list.join(', ')}.`
    if (durationMs <= budgetMs) return scored(1, reasoning)
    const issues = [
      `The trace took ${formatDuration(durationMs - budgetMs)} longer than its budget.`,
    ]
    const evidence = slowest.map(({ spanId, name }) => ({ spanId, quote: name }))
    return scored(budgetMs / durationMs, reasoning, { issues, evidence })
  },
}

/** Without spans that only wait for their children. */
function slowestSpans(spans: readonly ViewSpan[]): ViewSpan[] {
  const parents = new Set(spans.map(({ parentSpanId }) => parentSpanId))
  const leaves = spans.filter(({ spanId }) => !parents.has(spanId))
  return leaves.sort((a, b) => b.endedMs - b.startedMs - (a.endedMs - a.startedMs)).slice(0, 3)
}
