import type { ModelCall, TraceView, ViewSpan } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator, Evidence } from '../evaluator.ts'
import { notApplicable, quoteText, scored } from '../verdicts.ts'
import { callKey, valueKey } from './call-keys.ts'
import { quoteIn } from './quote-call.ts'

const callsMax = 10_000
const answersMax = 2000
const cycleMax = 4
/** Repetitions that score 0.5, and those that score 0. */
const suspicious = 3
const endless = 6

export const noLoops: DeterministicEvaluator = {
  key: 'agent.no-loops',
  name: 'No loops',
  description:
    'The agent does not go round in circles: no cycle of one to four tool calls with the same arguments and results, no nearly equal answers of consecutive model calls, and no step that calls itself with the same input. The worst loop counts: three repetitions score 0.5, six or more score 0. Calls whose results change, such as polling, are no loop. Reads the first 10,000 tool calls and 2,000 answers. Does not apply to a trace with fewer than two tool and model calls.',
  threshold: 0.7,
  use: 'gate',
  reads: ['tool calls', 'model calls', 'messages'],
  evaluate(trace) {
    const steps = trace.toolCalls.length + trace.modelCalls.length
    if (steps < 2) return notApplicable('The trace has fewer than two tool and model calls.')
    const loops = [findCycle(trace), findEqualAnswers(trace.modelCalls), findRecursion(trace.spans)]
      .filter((loop) => loop !== undefined && loop.repetitions >= suspicious)
      .toSorted((a, b) => b!.repetitions - a!.repetitions) as Loop[]
    const [worst] = loops
    if (worst === undefined) return scored(1, `The ${steps} tool and model calls contain no loop.`)
    const issues = loops.map(({ issue }) => issue)
    const evidence = loops.map((loop) => loop.evidence())
    return scored(scoreOf(worst.repetitions), issues[0]!, { issues, evidence })
  },
}

function scoreOf(repetitions: number): number {
  return Math.max(0, (0.5 * (endless - repetitions)) / (endless - suspicious))
}

interface Loop {
  readonly repetitions: number
  readonly issue: string
  readonly evidence: () => Evidence
}

/** The cycle of tool calls with the most repetitions; the shortest of equal ones. */
function findCycle({ toolCalls }: TraceView): Loop | undefined {
  const calls = toolCalls.slice(0, callsMax)
  const keys = calls.map(callKey)
  let best: { period: number; repetitions: number; end: number } | undefined
  for (let period = 1; period <= cycleMax; period++) {
    let equal = 0
    for (let n = period; n < keys.length; n++) {
      equal = keys[n] === keys[n - period] ? equal + 1 : 0
      const repetitions = Math.floor(equal / period) + 1
      if (repetitions > (best?.repetitions ?? 1)) best = { period, repetitions, end: n }
    }
  }
  if (best === undefined) return undefined
  const { period, repetitions, end } = best
  const cycle = calls.slice(end - period + 1, end + 1)
  const names = cycle.map(({ name }) => name).join(', ')
  return {
    repetitions,
    issue:
      period === 1
        ? `${names} was called ${repetitions} times in a row with the same arguments and result.`
        : `The tool calls ${names} were repeated ${repetitions} times in a row with the same results.`,
    evidence: () => quoteIn(cycle[0]!.span, cycle[0]!.input),
  }
}

/** Shorter answers are often equal. */
const answerMin = 40
const comparedMax = 2000

/** Of model calls one after the other; parallel ones may well agree. */
function findEqualAnswers(modelCalls: readonly ModelCall[]): Loop | undefined {
  const answers = modelCalls
    .filter(({ text }) => text.trim().length >= answerMin)
    .slice(0, answersMax)
  let run = 1
  let best: Loop | undefined
  for (let n = 1; n < answers.length; n++) {
    const [before, now] = [answers[n - 1]!, answers[n]!]
    const isNext = now.span.startedMs >= before.span.endedMs
    run = isNext && isNearlyEqual(before.text, now.text) ? run + 1 : 1
    if (run <= (best?.repetitions ?? 1)) continue
    best = {
      repetitions: run,
      issue: `${run} consecutive answers of the model are nearly equal: "${now.text.trim().slice(0, 80)}".`,
      evidence: () => quoteAnswer(now),
    }
  }
  return best
}

/** An answer may be in several parts of the span, so that only the first one is a quote. */
function quoteAnswer({ span, response }: ModelCall): Evidence {
  const first = response.find(({ text }) => text.trim() !== '')
  const text = first?.parts.flatMap((part) => (part.is === 'text' ? [part.text] : []))[0] ?? ''
  return text.trim() === ''
    ? { spanId: span.spanId, quote: span.name }
    : quoteText({ spanId: span.spanId, text })
}

function isNearlyEqual(a: string, b: string): boolean {
  if (a === b) return true
  const lengths = [a.length, b.length].toSorted((x, y) => x - y)
  if (lengths[0]! / lengths[1]! < 0.8) return false
  const [setA, setB] = [trigrams(a), trigrams(b)]
  const common = setA.intersection(setB).size
  return common / (setA.size + setB.size - common) >= 0.9
}

function trigrams(text: string): Set<string> {
  const plain = text.slice(0, comparedMax).toLowerCase()
  const found = new Set<string>()
  for (let n = 0; n + 3 <= plain.length; n++) found.add(plain.slice(n, n + 3))
  return found
}

/** A span within spans of the same name and input, which called it. */
function findRecursion(spans: readonly ViewSpan[]): Loop | undefined {
  const children = Map.groupBy(spans, ({ parentSpanId }) => parentSpanId ?? '')
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const onPath = new Map<string, number>()
  let best: Loop | undefined
  const enter = (span: ViewSpan): string | undefined => {
    if (span.input === null || span.input === undefined || span.input === '') return undefined
    const key = `${span.name} ${valueKey(span.input)}`
    const repetitions = (onPath.get(key) ?? 0) + 1
    onPath.set(key, repetitions)
    if (repetitions > (best?.repetitions ?? 1)) {
      const issue = `${span.name} called itself ${repetitions - 1} times with the same input.`
      best = { repetitions, issue, evidence: () => quoteIn(span, span.input) }
    }
    return key
  }
  // Spans in a circle of parents are not reached.
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === null || !ids.has(parentSpanId))
  const stack: (ViewSpan | { readonly leave: string })[] = roots
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if ('leave' in next) {
      onPath.set(next.leave, onPath.get(next.leave)! - 1)
      continue
    }
    const key = enter(next)
    if (key !== undefined) stack.push({ leave: key })
    for (const child of children.get(next.spanId) ?? []) stack.push(child)
  }
  return best
}
