import type { TraceView, ViewError, ViewSpan } from '../../domain/trace-view/trace-view.ts'
import { quoteIn } from '../agent/quote-call.ts'
import { formatCount, someOf } from '../counted.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { notApplicable, scored } from '../verdicts.ts'

export const errorRate: DeterministicEvaluator = {
  key: 'performance.error-rate',
  name: 'Low error rate',
  description:
    'The share of spans without an error. A span that failed counts half if one of the same kind and name succeeded later. Tool calls whose result is an error count as failed. Reports how many errors were rate limits.',
  threshold: 0.95,
  use: 'gate',
  reads: ['errors'],
  evaluate(trace) {
    const { spans } = trace
    if (spans.length === 0) return notApplicable('The trace has no spans.')
    const errors = [...new Map(trace.errors.map((error) => [error.span, error])).values()]
    if (errors.length === 0)
      return scored(1, `None of ${formatCount(spans.length)} spans has an error.`)
    const retried = findRetried(trace, errors)
    const lost = errors.reduce((sum, { span }) => sum + (retried.has(span) ? 0.5 : 1), 0)
    const worstFirst = errors.toSorted(
      (a, b) => Number(retried.has(a.span)) - Number(retried.has(b.span)),
    )
    const issues = worstFirst.map(
      ({ span, message }) =>
        `${span.name} failed${retried.has(span) ? ' and succeeded later' : ''}: ${message.slice(0, 200)}`,
    )
    const limited = errors.filter(isRateLimit).length
    const limits = limited === 0 ? '' : ` ${limited} were rate limits.`
    const reasoning = `${someOf(errors.length, spans.length, ['span', 'spans'])} failed; ${formatCount(retried.size)} succeeded later.${limits} ${issues[0]}`
    const evidence = worstFirst.values().map(({ span, message }) => quoteIn(span, message))
    return scored(1 - lost / spans.length, reasoning, { issues, evidence })
  },
}

function findRetried({ spans }: TraceView, errors: readonly ViewError[]): ReadonlySet<ViewSpan> {
  const failed = new Set(errors.map(({ span }) => span))
  const lastSuccess = new Map<string, number>()
  for (const span of spans) {
    if (!failed.has(span)) lastSuccess.set(`${span.kind} ${span.name}`, span.startedMs)
  }
  const isRetried = ({ kind, name, startedMs }: ViewSpan) =>
    (lastSuccess.get(`${kind} ${name}`) ?? Number.NEGATIVE_INFINITY) > startedMs
  return new Set([...failed].filter(isRetried))
}

const rateLimit = /\b429\b|\brate[ _-]?limit|too many requests|resource[ _]exhausted|\bthrottl/i

function isRateLimit({ span, message }: ViewError): boolean {
  const { attributes } = span
  const code = attributes['http.response.status_code'] ?? attributes['http.status_code']
  return String(code) === '429' || rateLimit.test(message.slice(0, 10_000))
}
