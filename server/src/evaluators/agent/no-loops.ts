import type { ModelCall, TraceView, ViewSpan } from '../../domain/trace-view/trace-view.ts'
import { formatCount } from '../counted.ts'
import type { DeterministicEvaluator, Evidence } from '../evaluator.ts'
import { notApplicable, quoteText, scored } from '../verdicts.ts'
import { callKey, valueKey } from './call-keys.ts'
import { countOnPaths } from './count-on-paths.ts'
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
    'The agent does not go round in circles: no cycle of one to four tool calls with the same arguments and results, no nearly equal answers of consecutive model calls, and no step that calls itself with the same input. The worst loop counts: three repetitions score 0.5, six or more score 0. Calls whose results change, such as polling, are no loop. Reads the first 10,000 tool calls and the beginning of 2,000 answers. Does not apply to a trace with fewer than two tool and model calls.',
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
    if (worst === undefined)
      return scored(1, `The ${formatCount(steps)} tool and model calls contain no loop.`)
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
const comparedMax = 1000

/** Of model calls one after the other; parallel ones may well agree. */
function findEqualAnswers(modelCalls: readonly ModelCall[]): Loop | undefined {
  const answers = modelCalls
    .filter(({ text }) => text.trim().length >= answerMin)
    .slice(0, answersMax)
  let run = 0
  let best: Loop | undefined
  let before: { readonly call: ModelCall; readonly parts: Set<string> } | undefined
  for (const call of answers) {
    const parts = trigrams(call.text)
    const isNext = before !== undefined && call.span.startedMs >= before.call.span.endedMs
    run = isNext && areNearlyEqual(before!.parts, parts) ? run + 1 : 1
    before = { call, parts }
    if (run <= (best?.repetitions ?? 1)) continue
    best = {
      repetitions: run,
      issue: `${run} consecutive answers of the model are nearly equal: "${call.text.trim().slice(0, 80)}".`,
      evidence: () => quoteAnswer(call),
    }
  }
  return best
}

function areNearlyEqual(a: Set<string>, b: Set<string>): boolean {
  const common = a.intersection(b).size
  return common / (a.size + b.size - common) >= 0.9
}

function trigrams(text: string): Set<string> {
  const plain = text.slice(0, comparedMax).toLowerCase()
  const found = new Set<string>()
  for (let n = 0; n + 3 <= plain.length; n++) found.add(plain.slice(n, n + 3))
  return found
}

/** An answer may be in several parts of the span, so that only the first one is a quote. */
function quoteAnswer({ span, response }: ModelCall): Evidence {
  const first = response.find(({ text }) => text.trim() !== '')
  const text = first?.parts.flatMap((part) => (part.is === 'text' ? [part.text] : []))[0] ?? ''
  return text.trim() === ''
    ? { spanId: span.spanId, quote: span.name }
    : quoteText({ spanId: span.spanId, text })
}

/** A span within spans of the same name and input, which called it. */
function findRecursion(spans: readonly ViewSpan[]): Loop | undefined {
  // Serializing inputs is slow, and only few names occur several times on a path.
  const nested = new Set<string>()
  countOnPaths(
    spans,
    ({ name }) => name,
    ({ name }, repetitions) => {
      if (repetitions >= suspicious) nested.add(name)
    },
  )
  if (nested.size === 0) return undefined
  let best: Loop | undefined
  const keyOf = ({ name, input }: ViewSpan) =>
    nested.has(name) && input !== null && input !== undefined && input !== ''
      ? `${name} ${valueKey(input)}`
      : undefined
  countOnPaths(spans, keyOf, (span, repetitions) => {
    if (repetitions <= (best?.repetitions ?? 1)) return
    const issue = `${span.name} called itself ${repetitions - 1} times with the same input.`
    best = { repetitions, issue, evidence: () => quoteIn(span, span.input) }
  })
  return best
}
