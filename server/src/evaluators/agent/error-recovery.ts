import { leavesIn } from '../../domain/trace-view/canonical-json.ts'
import type {
  ToolCall,
  TraceView,
  ViewError,
  ViewSpan,
} from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { wordsIn } from '../texts.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { quoteIn } from './quote-call.ts'

const errorsMax = 10_000

export const errorRecovery: DeterministicEvaluator = {
  key: 'agent.error-recovery',
  name: 'Recovers from errors',
  description:
    'The share of errors that the agent deals with: the same step succeeds later, another tool succeeds later with one of the same arguments, or the answer mentions the failure. An error that is ignored, or only repeated, counts as 0. Errors that a span passes on to its parent count once. Does not apply to a trace without errors.',
  threshold: 0.7,
  use: 'warn',
  reads: ['errors', 'tool calls', 'output'],
  evaluate(trace) {
    const errors = innermost(trace).slice(0, errorsMax)
    if (errors.length === 0) return notApplicable('The trace has no errors.')
    const callOf = new Map(trace.toolCalls.map((call) => [call.span, call]))
    const successes = listSuccesses(trace, callOf)
    const admitted = admits(trace.output?.text ?? '')
    const ignored = errors.filter(
      ({ span, message }) =>
        !isRepaired(span, callOf.get(span), successes) && !admitted(nameOf(span, callOf), message),
    )
    if (ignored.length === 0) return scored(1, `The agent dealt with all ${errors.length} errors.`)
    const issues = ignored.map(
      ({ span, message }) =>
        `The error of ${nameOf(span, callOf)} was neither repaired nor mentioned: ${message.slice(0, 200)}`,
    )
    const reasoning = `The agent dealt with ${errors.length - ignored.length} of ${errors.length} errors. ${issues[0]}`
    const evidence = ignored.values().map(({ span, message }) => quoteIn(span, message))
    return scored(1 - ignored.length / errors.length, reasoning, { issues, evidence })
  },
}

type CallOf = ReadonlyMap<ViewSpan, ToolCall>

function nameOf(span: ViewSpan, callOf: CallOf): string {
  return callOf.get(span)?.name ?? span.name
}

/** Without spans that are in error because one below them is. */
function innermost({ spans, errors }: TraceView): readonly ViewError[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const passedOn = new Set<ViewSpan>()
  for (const { span } of errors) {
    let above = byId.get(span.parentSpanId ?? '')
    // Stops at visited spans, so parent cycles terminate.
    while (above !== undefined && !passedOn.has(above) && above !== span) {
      passedOn.add(above)
      above = byId.get(above.parentSpanId ?? '')
    }
  }
  const own = errors.filter(({ span }) => !passedOn.has(span))
  return own.length > 0 ? own : errors.slice(0, 1)
}

interface Successes {
  /** By kind and name, when the last one started. */
  readonly bySteps: ReadonlyMap<string, number>
  /** By argument, the last ones of different tools. */
  readonly byArguments: ReadonlyMap<string, readonly Success[]>
}

interface Success {
  readonly name: string
  readonly startedMs: number
}

function listSuccesses({ spans, toolCalls }: TraceView, callOf: CallOf): Successes {
  const bySteps = new Map<string, number>()
  const succeed = (key: string, startedMs: number) =>
    bySteps.set(key, Math.max(startedMs, bySteps.get(key) ?? 0))
  for (const span of spans) {
    if (span.status === 'OK' && !callOf.has(span)) succeed(stepKey(span, undefined), span.startedMs)
  }
  const byArguments = new Map<string, Success[]>()
  for (const call of toolCalls) {
    const { span, name, error, output, hasOwnSpan } = call
    if (error !== undefined || (!hasOwnSpan && output === undefined)) continue
    succeed(stepKey(span, call), span.startedMs)
    for (const value of argumentsOf(call)) {
      const others = (byArguments.get(value) ?? []).filter((one) => one.name !== name)
      // Two tools are enough to find one that differs from a third.
      byArguments.set(value, [{ name, startedMs: span.startedMs }, ...others.slice(0, 1)])
    }
  }
  return { bySteps, byArguments }
}

function stepKey({ kind, name }: ViewSpan, call: ToolCall | undefined): string {
  // Another model call continues after one that failed, whatever its name.
  return call === undefined ? `${kind} ${kind === 'llm' ? '' : name}` : `call ${call.name}`
}

const argumentsMax = 50

function argumentsOf({ input }: ToolCall): string[] {
  const found: string[] = []
  for (const { value } of leavesIn(input)) {
    if (found.length === argumentsMax) break
    if (typeof value !== 'boolean' && String(value).trim().length > 1) found.push(String(value))
  }
  return found
}

function isRepaired(
  span: ViewSpan,
  call: ToolCall | undefined,
  { bySteps, byArguments }: Successes,
): boolean {
  if ((bySteps.get(stepKey(span, call)) ?? 0) > span.startedMs) return true
  if (call === undefined) return false
  return argumentsOf(call).some((value) =>
    byArguments
      .get(value)
      ?.some(({ name, startedMs }) => name !== call.name && startedMs > span.startedMs),
  )
}

/** English only; the words of the error are found in every language. */
const failureWords =
  /\b(?:fail(?:ed|s|ure|ing)?|errors?|unable|unavailable|could ?n[o']t|couldn't|cannot|can't|can not|not able|timed? ?out|not (?:found|possible|reachable)|unsuccessful|went wrong|did(?: not|n't) work)\b/i

/** Whether the answer mentions a failure: in general, or with rare words of the step or its message. */
function admits(answer: string): (name: string, message: string) => boolean {
  const start = answer.slice(0, 100_000)
  if (failureWords.test(start)) return () => true
  const words = new Set(wordsIn(start))
  return (_name, message) => {
    const own = [...new Set(wordsIn(message.slice(0, 2000)))].filter((word) => word.length >= 5)
    return own.length > 0 && own.filter((word) => words.has(word)).length >= Math.min(3, own.length)
  }
}
