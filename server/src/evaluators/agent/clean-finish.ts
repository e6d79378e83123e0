import type { TraceView, ViewSpan } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator, Evidence } from '../evaluator.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { quoteCalls, quoteIn } from './quote-call.ts'

/** Messages and finish reasons of frameworks that end an agent at a limit. */
const limitReached =
  /\bmax(?:imum)?(?: number of)?[ _-]?(?:steps?|turns?|iterations?)\b|\b(?:recursion|iteration|step|turn|time)[ _-]?limit\b|\btimed[ _-]?out\b|\btimeout\b|\bdeadline exceeded\b/i

export const cleanFinish: DeterministicEvaluator = {
  key: 'agent.clean-finish',
  name: 'Clean finish',
  description:
    'The agent ended because it was done: 1, or 0 when the root or the last step is in error, the last tool calls of the model never ran, a limit of steps or time ended it, or it made more model calls than `eval.max_steps`. Tool calls without results count only where the trace records an agent or results of other calls. Does not apply to a trace without steps below its root, unless the root is in error.',
  threshold: 1,
  use: 'gate',
  reads: ['tool calls', 'model calls', 'errors', 'eval.max_steps'],
  evaluate(trace) {
    const { root, spans } = trace
    if (root === undefined) return notApplicable('The trace has no spans.')
    const isAlone = spans.length === 1 && root.kind !== 'llm' && root.kind !== 'agent'
    if (isAlone && root.status === 'OK') {
      return notApplicable('The trace has no steps of an agent.')
    }
    const problems = [
      findLimit(trace) ?? findErrorAtEnd(trace, root),
      findStepsOverBudget(trace),
      findDanglingCalls(trace),
    ].filter((one) => one !== undefined)
    const [first] = problems
    if (first === undefined) {
      return scored(1, `The trace ended with ${lastSpan(spans).name} and without an error.`)
    }
    const issues = problems.map(({ issue }) => issue)
    const evidence = problems.flatMap((one) => one.evidence)
    return scored(0, first.issue, { issues, evidence })
  },
}

interface Problem {
  readonly issue: string
  readonly evidence: readonly Evidence[]
}

function findLimit({ root, modelCalls }: TraceView): Problem | undefined {
  const reason = modelCalls.at(-1)?.finishReasons.find((one) => limitReached.test(one))
  const last = modelCalls.at(-1)?.span
  if (reason !== undefined && last !== undefined) {
    return {
      issue: `The last model call ended with "${reason}".`,
      evidence: [quoteIn(last, reason)],
    }
  }
  const message = root?.status === 'ERROR' ? root.statusMessage : null
  if (root === undefined || message === null || message === undefined) return undefined
  if (!limitReached.test(message.slice(0, 10_000))) return undefined
  const issue = `A limit ended the trace: ${message.slice(0, 200)}`
  return { issue, evidence: [quoteIn(root, message)] }
}

function findStepsOverBudget({ expectations, modelCalls }: TraceView): Problem | undefined {
  const max = Number(expectations.get('max_steps') ?? Number.NaN)
  if (!(max > 0) || modelCalls.length <= max) return undefined
  const { spanId, name } = modelCalls[Math.floor(max)]!.span
  const issue = `The agent made ${modelCalls.length} model calls, more than the ${max} of \`eval.max_steps\`.`
  return { issue, evidence: [{ spanId, quote: name }] }
}

function findErrorAtEnd(
  { errors, spans, toolCalls }: TraceView,
  root: ViewSpan,
): Problem | undefined {
  const last = lastSpan(spans)
  const error = errors.find(({ span }) => span === root) ?? errors.find(({ span }) => span === last)
  // A result that the model requested has the span of the model call.
  const isOfRequest = toolCalls.some(({ span, hasOwnSpan }) => span === error?.span && !hasOwnSpan)
  if (error === undefined || isOfRequest) return undefined
  const where = error.span === root ? 'The trace' : `The last step, ${last.name},`
  const issue = `${where} ended in error: ${error.message.slice(0, 200)}`
  return { issue, evidence: [quoteIn(error.span, error.message)] }
}

/** Of those without spans below them the one that ended last. */
function lastSpan(spans: readonly ViewSpan[]): ViewSpan {
  const parents = new Set(spans.map(({ parentSpanId }) => parentSpanId))
  const leaves = spans.filter(({ spanId }) => !parents.has(spanId))
  return leaves.reduce(
    (last, one) => (one.endedMs >= last.endedMs ? one : last),
    leaves[0] ?? spans[0]!,
  )
}

/** Requested by the last model call. Clients that run tools themselves leave theirs open in each trace. */
function findDanglingCalls({ spans, toolCalls, modelCalls }: TraceView): Problem | undefined {
  const last = modelCalls.at(-1)?.span
  const open = toolCalls.filter(
    ({ span, hasOwnSpan, output }) => span === last && !hasOwnSpan && output === undefined,
  )
  const ran = toolCalls.some(({ hasOwnSpan, output }) => hasOwnSpan || output !== undefined)
  const recordsRuns = ran || spans.some(({ kind }) => kind === 'agent')
  if (open.length === 0 || !recordsRuns) return undefined
  const names = [...new Set(open.map(({ name }) => name))].slice(0, 5).join(', ')
  return {
    issue: `The last tool calls of the model never ran: ${names}.`,
    evidence: quoteCalls(open, ({ name }) => name),
  }
}
