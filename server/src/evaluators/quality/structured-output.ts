import { type Fields, isFields, parsed } from '@assay/contract/message-parts.ts'
import type { SpanText, TraceView } from '../../domain/trace-view/trace-view.ts'
import type { DeterministicEvaluator, Verdict } from '../evaluator.ts'
import { compileSchema, newBudget } from '../json-schema/compile-schema.ts'
import { describeError } from '../json-schema/describe-error.ts'
import { notApplicable, quoteText, scored } from '../verdicts.ts'
import { parseJson } from './parse-json.ts'

export const structuredOutput: DeterministicEvaluator = {
  key: 'quality.structured-output',
  name: 'Structured output valid',
  description:
    'The answer is JSON and fits `eval.schema`, or the schema of the response format that the last model call requested. 1 for valid JSON that fits; 0.5 for JSON that parses only after repair, such as JSON within a code block or other text; for JSON that does not fit, half of the share of required properties that are valid; otherwise 0. Does not apply when no JSON was requested.',
  threshold: 1,
  use: 'gate',
  reads: ['output', 'model calls', 'eval.schema'],
  evaluate(trace) {
    const requested = findRequest(trace)
    if (requested === undefined) return notApplicable('No JSON was requested.')
    const { output } = requested
    if (output === undefined) {
      const issues = ['The trace has no answer, but JSON was requested.']
      return scored(0, issues[0]!, { issues })
    }
    const json = parseJson(output.text.trim())
    if (json.is === 'invalid') {
      return failed(0, 'The answer is not JSON.', output)
    }
    const fit = fitOf(json.value, requested.schema)
    if (fit.problem !== undefined) return failed(fit.score, fit.problem, output)
    if (json.is === 'repaired') {
      return failed(0.5, 'The answer is JSON only after repair.', output)
    }
    return scored(1, fit.summary)
  },
}

function failed(score: number, issue: string, output: SpanText): Verdict {
  return scored(score, issue, { issues: [issue], evidence: [quoteText(output)] })
}

interface Request {
  /** Undefined: any JSON. */
  readonly schema: unknown
  readonly output: SpanText | undefined
}

/** A schema of the trace is for its answer; the format of a model call is for the answer of that call. */
function findRequest({ expectations, modelCalls, output }: TraceView): Request | undefined {
  const expected = expectations.get('schema')
  if (isFields(expected)) return { schema: expected, output }
  const last = modelCalls.findLast(
    ({ text, responseFormat }) => text.trim() !== '' || responseFormat !== undefined,
  )
  const format = parsed(last?.responseFormat)
  if (last === undefined || !isFields(format)) return undefined
  const type = String(format['type'])
  if (type !== 'json_schema' && type !== 'json_object' && type !== 'json') return undefined
  const own = last.text.trim() === '' ? undefined : { spanId: last.span.spanId, text: last.text }
  return { schema: schemaIn(format), output: own }
}

/** Of OpenAI's chat and responses endpoints, and of the AI SDK. */
function schemaIn(format: Fields): unknown {
  const inner = format['json_schema'] ?? format['schema']
  return isFields(inner) && isFields(inner['schema']) ? inner['schema'] : inner
}

interface Fit {
  readonly score: number
  readonly summary: string
  readonly problem?: string
}

function fitOf(value: unknown, schema: unknown): Fit {
  if (!isFields(schema)) return { score: 1, summary: 'The answer is valid JSON.' }
  const budget = newBudget()
  const mode = { isNullAbsent: false, findsAllErrors: true }
  const compiled = compileSchema(schema, mode, budget)
  const errors = typeof compiled === 'string' ? undefined : compiled.validate(value, budget)
  if (errors === undefined) {
    const reason = typeof compiled === 'string' ? compiled : 'validation takes too long'
    return { score: 1, summary: `The answer is valid JSON; its schema cannot be used: ${reason}.` }
  }
  if (errors.length === 0) return { score: 1, summary: 'The answer is JSON that fits its schema.' }
  const wrong = new Set(
    errors.map(({ instancePath, keyword, params }) =>
      instancePath === '' && keyword === 'required'
        ? String(params['missingProperty'])
        : instancePath.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~'),
    ),
  )
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
  const valid = isFields(value) ? required.filter((name) => !wrong.has(String(name))) : []
  const score = required.length === 0 ? 0 : (0.5 * valid.length) / required.length
  const problem = `The answer does not fit its schema: ${describeError(errors)}.`
  return { score, summary: problem, problem }
}
