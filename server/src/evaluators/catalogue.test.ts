import { evaluatorCategories } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { expectedFiles, recordedTraces } from '../../test/recorded.ts'
import { buildTraceView } from '../domain/trace-view/build-trace-view.ts'
import { type sampleSpans, sampleView } from '../domain/trace-view/trace-view.samples.ts'
import type { TraceView } from '../domain/trace-view/trace-view.ts'
import { builtInEvaluators, deterministicEvaluators, judgedEvaluators } from './catalogue.ts'
import { evaluateTrace } from './evaluate-trace.ts'
import type { DeterministicEvaluator, Verdict } from './evaluator.ts'
import type { JudgedEvaluator, JudgeTask } from './judge/judge.ts'
import { prepareTask } from './judge/judge-prompt.ts'
import { isQuoteOf } from './verdicts.ts'

const context = { siblings: [] }

test('keys are unique and begin with the category', () => {
  const keys = builtInEvaluators.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) expect(evaluatorCategories).toContain(key.split('.')[0])
})

test('names and descriptions fit the limits of the interface', () => {
  for (const { name, description, threshold, reads } of builtInEvaluators) {
    expect(name.length).toBeLessThanOrEqual(limits.nameLength.value)
    expect(description.length).toBeLessThanOrEqual(limits.evaluatorDescriptionLength.value)
    expect(description).toMatch(/\.$/)
    expect(threshold).toBeGreaterThan(0)
    expect(reads.length).toBeGreaterThan(0)
  }
})

/** What every result promises, whatever the trace. */
function expectVerdict(verdict: Verdict, threshold: number, trace: TraceView): void {
  expect(verdict.reasoning).toMatch(/\S/)
  if (verdict.status === 'not_applicable') return
  expect(verdict.score).toBeGreaterThanOrEqual(0)
  expect(verdict.score).toBeLessThanOrEqual(1)
  if (verdict.score < threshold) {
    expect(verdict.issues.length + verdict.evidence.length).toBeGreaterThan(0)
  }
  for (const { spanId, quote } of verdict.evidence) {
    const span = trace.spans.find((one) => one.spanId === spanId)
    expect(span).toBeDefined()
    expect({ quote, isQuote: isQuoteOf(span!, quote) }).toEqual({ quote, isQuote: true })
  }
}

function expectEvaluator(evaluator: DeterministicEvaluator, trace: TraceView): void {
  const verdict = evaluator.evaluate(trace, context)
  expect(evaluator.evaluate(trace, context)).toEqual(verdict)
  expectVerdict(verdict, evaluator.threshold, trace)
}

const nonce = '0123456789abcdef01234567'
/** Of all blocks: a third of the smallest windows that are common. */
const dataLengthMax = 400_000

function expectJudge(
  evaluator: JudgedEvaluator,
  trace: TraceView,
  prepared = evaluator.prepare(trace),
): void {
  expect(evaluator.prepare(trace)).toEqual(prepared)
  if ('status' in prepared) expectVerdict(prepared, evaluator.threshold, trace)
  else expectTask(prepared, trace)
}

function expectTask(task: JudgeTask, trace: TraceView): void {
  expect(structuredClone(task)).toEqual(task)
  const ids = task.criteria.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const spanIds = new Set(trace.spans.map(({ spanId }) => spanId))
  for (const { name, segments } of task.blocks) {
    expect(name).toMatch(/^[a-z-]+$/)
    for (const { spanId } of segments) expect(spanIds).toContain(spanId)
  }
  for (const name of task.proofFrom ?? []) {
    expect(task.blocks.map((block) => block.name)).toContain(name)
  }
  expect(task.blocks.some(({ segments }) => segments.length > 0)).toBe(true)
  expect(prepareTask(task, nonce).prompt.data.length).toBeLessThan(dataLengthMax)
}

/** Of all recordings; decoded once, because each evaluator reads them. */
const recordedViews = expectedFiles().flatMap((name) =>
  [...recordedTraces(name)].map(([id, spans]) => {
    const trace = { trace_id: id, status: 'OK' as const, tags: [], duration_ms: 1 }
    return buildTraceView({ ...trace, tokens_in: 0, tokens_out: 0, cost_usd: null }, spans)
  }),
)

function expectOnRecordings(check: (trace: TraceView) => void): void {
  expect(recordedViews.length).toBeGreaterThan(200)
  for (const view of recordedViews) check(view)
}

function expectOnAnyContent(check: (trace: TraceView) => void): void {
  const json = fc.jsonValue()
  const kind = fc.constantFrom('agent', 'llm', 'tool', 'mcp', 'retriever', 'memory', 'other')
  const attributes = fc.oneof(
    json,
    fc.record({ 'eval.rubric': json, 'eval.expected_output': json }),
  )
  const status = fc.record({
    status: fc.constantFrom('OK', 'ERROR'),
    status_message: fc.option(fc.string()),
  })
  const content = fc.record({ kind, name: fc.string(), input: json, output: json, attributes })
  const sample = fc.tuple(content, status).map(([one, two]) => ({ ...one, ...two }))
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 5 }), (samples) => {
      const spans = samples.map((one) => ({ ...one, name: one.name || 'span' }))
      check(sampleView(spans as Parameters<typeof sampleSpans>[0]))
    }),
    { numRuns: inject('isLong') ? 200 : 20 },
  )
}

describe.each(deterministicEvaluators.map((evaluator) => [evaluator.key, evaluator] as const))(
  '%s',
  (_key, evaluator) => {
    test('gives the same explained verdict twice on every recorded trace', () => {
      expectOnRecordings((trace) => expectEvaluator(evaluator, trace))
    })

    test('gives an explained verdict on any content', () => {
      expectOnAnyContent((trace) => expectEvaluator(evaluator, trace))
    })

    test('does not score a trace without spans', () => {
      const [only] = evaluateTrace(sampleView([]), [evaluator], context)
      expect(only?.verdict).toMatchObject({ status: 'error' })
    })
  },
)

/** Of every kind a span, with long texts. */
function longTrace(): TraceView {
  const long = `I have sent it. ${'A long sentence. '.repeat(30_000)}`
  const message = (role: string) => ({ role, content: long })
  const messages = [message('system'), message('user'), message('assistant'), message('user')]
  const call = { input: { text: long }, output: { text: long } }
  const tools = [{ type: 'function', function: { name: 'f', description: long, parameters: {} } }]
  const documents = Array.from({ length: 100 }, (_, n) => ({ id: `d${n}`, content: long }))
  return sampleView([
    {
      ...{ kind: 'agent', input: { messages }, output: { text: long } },
      attributes: { 'eval.rubric': `${long}\n`.repeat(3), 'eval.expected_output': long },
    },
    { kind: 'llm', input: { messages, tools }, output: { messages: [message('assistant')] } },
    ...Array.from({ length: 50 }, (_, n) => ({ kind: 'tool', name: `tool ${n}`, ...call })),
    { kind: 'mcp', name: 'f', ...call, attributes: { 'mcp.method.name': 'tools/call' } },
    { kind: 'retriever', input: { query: long }, output: { documents } },
  ])
}

/** Built once, because it takes longer to write its spans than to judge them. */
let longViewBuilt: TraceView | undefined
const longView = () => (longViewBuilt ??= longTrace())
afterAll(() => {
  longViewBuilt = undefined
})

describe.each(judgedEvaluators.map((evaluator) => [evaluator.key, evaluator] as const))(
  '%s',
  (_key, evaluator) => {
    test('prepares the same task twice on every recorded trace', () => {
      expectOnRecordings((trace) => expectJudge(evaluator, trace))
    })

    test('prepares a task or a verdict on any content', () => {
      expectOnAnyContent((trace) => expectJudge(evaluator, trace))
    })

    test('prepares a task of bounded size on long texts, with questions that state their tie rule', () => {
      const task = evaluator.prepare(longView())
      if ('status' in task) throw new Error('a verdict')
      expectJudge(evaluator, longView(), task)
      for (const { question } of task.criteria) {
        expect(question).toMatch(/\?.*(?:yes|no\b|not applicable)/i)
      }
    })

    test('does not judge a trace with nothing to judge', () => {
      const prepared = evaluator.prepare(sampleView([{ kind: 'agent' }]))
      expect(prepared).toMatchObject({ status: 'not_applicable' })
    })
  },
)
