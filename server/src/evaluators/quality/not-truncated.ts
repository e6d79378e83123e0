import type { ModelCall } from '../../domain/trace-view/trace-view.ts'
import { allAre, someOf } from '../counted.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { textMax } from '../texts.ts'
import { notApplicable, quoteText, scored } from '../verdicts.ts'
import { parseJson } from './parse-json.ts'

/** Finish reasons of OpenAI, Anthropic, Gemini, Cohere and Bedrock. */
const lengthReasons = new Set([
  ...['length', 'max_tokens', 'max_output_tokens', 'token_limit', 'error_limit'],
  ...['model_context_window_exceeded', 'model_length', 'max_token', 'maxtokens'],
])

/** Not calls: the number of calls on the page of a trace leaves out those around another one. */
const answers = ['answer of a model', 'answers of models'] as const

export const notTruncated: DeterministicEvaluator = {
  key: 'quality.not-truncated',
  name: 'Output not truncated',
  description:
    'No model call ended because of its length. The score is the share of complete model calls, and 0 if the last one is truncated. A call that reports no finish reason is truncated if its answer ends within a code block or within JSON. Does not apply to a trace without answers of models.',
  threshold: 1,
  use: 'gate',
  reads: ['model calls', 'output'],
  evaluate({ modelCalls }) {
    const answered = modelCalls.filter(
      ({ response, finishReasons }) => response.length > 0 || finishReasons.length > 0,
    )
    const last = answered.at(-1)
    if (last === undefined) return notApplicable('The trace has no answers of models.')
    const cuts = answered.flatMap((call) => {
      const problem = findCut(call)
      return problem === undefined ? [] : [{ call, problem }]
    })
    if (cuts.length === 0) return scored(1, `${allAre(answered.length, answers)} complete.`)
    const isLastCut = cuts.at(-1)?.call === last
    const score = isLastCut ? 0 : 1 - cuts.length / answered.length
    const issues = cuts.map(({ call, problem }) => `${call.span.name} ${problem}.`)
    const which = isLastCut && answered.length > 1 ? ', including the last one' : ''
    const verb = answered.length === 1 ? 'is' : 'are'
    const reasoning = `${someOf(cuts.length, answered.length, answers)} ${verb} truncated${which}. ${issues[0]}`
    return scored(score, reasoning, { issues, evidence: cuts.map(({ call }) => quoteEnd(call)) })
  },
}

function findCut({ finishReasons, text }: ModelCall): string | undefined {
  const reason = finishReasons.find((one) => lengthReasons.has(one))
  if (reason !== undefined) return `ended with the finish reason "${reason}"`
  if (finishReasons.length > 0) return undefined
  const end = text.slice(0, textMax).trim()
  if (text.length > textMax) return undefined
  if ((end.match(/^[ \t]*(?:```|~~~)/gm) ?? []).length % 2 === 1) return 'ends within a code block'
  return isUnclosedJson(end) ? 'ends within JSON' : undefined
}

function isUnclosedJson(text: string): boolean {
  return /^[[{]\s*["[{}\]]/.test(text) && !/[\]}]$/.test(text) && parseJson(text).is !== 'valid'
}

/** The end of the answer, where it was cut, as far as one message has it. */
function quoteEnd({ span, response }: ModelCall) {
  const end = response
    .findLast(({ text }) => text.trim() !== '')
    ?.text.trim()
    .slice(-100)
    .trim()
  return end === undefined || !end.isWellFormed()
    ? { spanId: span.spanId, quote: span.name }
    : quoteText({ spanId: span.spanId, text: end })
}
