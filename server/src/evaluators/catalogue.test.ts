import { evaluatorCategories } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectedFiles, recordedTraces } from '../../test/recorded.ts'
import { buildTraceView } from '../domain/trace-view/build-trace-view.ts'
import { type sampleSpans, sampleView } from '../domain/trace-view/trace-view.samples.ts'
import type { TraceView } from '../domain/trace-view/trace-view.ts'
import { deterministicEvaluators } from './catalogue.ts'
import { evaluateTrace } from './evaluate-trace.ts'
import type { DeterministicEvaluator } from './evaluator.ts'
import { isQuoteOf } from './verdicts.ts'

const context = { siblings: [] }

test('keys are unique and begin with the category', () => {
  const keys = deterministicEvaluators.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) expect(evaluatorCategories).toContain(key.split('.')[0])
})

test('names and descriptions fit the limits of the interface', () => {
  for (const { name, description, threshold, reads } of deterministicEvaluators) {
    expect(name.length).toBeLessThanOrEqual(limits.nameLength.value)
    expect(description.length).toBeLessThanOrEqual(limits.evaluatorDescriptionLength.value)
    expect(description).toMatch(/\.$/)
    expect(threshold).toBeGreaterThan(0)
    expect(reads.length).toBeGreaterThan(0)
  }
})

/** What every result promises, whatever the trace. */
function checkVerdict(evaluator: DeterministicEvaluator, trace: TraceView): void {
  const verdict = evaluator.evaluate(trace, context)
  expect(evaluator.evaluate(trace, context)).toEqual(verdict)
  expect(verdict.reasoning).toMatch(/\S/)
  if (verdict.status === 'not_applicable') return
  expect(verdict.score).toBeGreaterThanOrEqual(0)
  expect(verdict.score).toBeLessThanOrEqual(1)
  if (verdict.score < evaluator.threshold) {
    expect(verdict.issues.length + verdict.evidence.length).toBeGreaterThan(0)
  }
  for (const { spanId, quote } of verdict.evidence) {
    const span = trace.spans.find((one) => one.spanId === spanId)
    expect(span).toBeDefined()
    expect({ quote, isQuote: isQuoteOf(span!, quote) }).toEqual({ quote, isQuote: true })
  }
}

describe.each(deterministicEvaluators.map((evaluator) => [evaluator.key, evaluator] as const))(
  '%s',
  (_key, evaluator) => {
    test('gives the same explained verdict twice on every recorded trace', () => {
      for (const name of expectedFiles()) {
        for (const [id, spans] of recordedTraces(name)) {
          const trace = { trace_id: id, status: 'OK' as const, tags: [], duration_ms: 1 }
          const totals = { tokens_in: 0, tokens_out: 0, cost_usd: null }
          checkVerdict(evaluator, buildTraceView({ ...trace, ...totals }, spans))
        }
      }
    })

    test('gives an explained verdict on any content', () => {
      const json = fc.jsonValue()
      const kind = fc.constantFrom('agent', 'llm', 'tool', 'mcp', 'retriever', 'memory', 'other')
      const sample = fc.record({
        kind,
        name: fc.string(),
        input: json,
        output: json,
        attributes: json,
      })
      fc.assert(
        fc.property(fc.array(sample, { maxLength: 5 }), (samples) => {
          const spans = samples.map((one) => ({ ...one, name: one.name || 'span' }))
          checkVerdict(evaluator, sampleView(spans as Parameters<typeof sampleSpans>[0]))
        }),
        { numRuns: 50 },
      )
    })

    test('does not score a trace without spans', () => {
      const [only] = evaluateTrace(sampleView([]), [evaluator], context)
      expect(only?.verdict).toMatchObject({ status: 'error' })
    })
  },
)
