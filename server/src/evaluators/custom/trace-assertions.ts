import { quoteIn } from '../agent/quote-call.ts'
import type { DeterministicEvaluator, Evidence } from '../evaluator.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { newWork, parseAssertion } from './assertion.ts'
import { createSelect } from './select-path.ts'

const assertionsMax = 100

export const traceAssertions: DeterministicEvaluator = {
  key: 'custom.trace-assertions',
  name: 'Trace assertions',
  description:
    'Checks your own assertions: `eval.assert` is a list of `{path, op, value, weight}`, at most 100. Paths begin with `output`, `input`, `system`, `status`, `tags`, `duration_ms`, `tokens_in`, `tokens_out`, `cost_usd`, `messages`, `model_calls`, `tool_calls`, `retrieved`, `memory`, `errors` or `spans`, for example `tool_calls[0].input.city` or `spans[*].attributes["http.route"]`. The op is `equals`, `contains`, `any` or `all` (contains at least one or every item of a list), `regex` (RE2), `type`, `min` or `max` (of a number or the length of a list), or `count` of spans, with `{kind, name, status, attributes, equals, min, max}`. With `*` one value has to pass, for `type`, `min` and `max` every one. The score is the share of assertions that pass, by weight; an invalid one does not pass. Does not apply without assertions.',
  threshold: 1,
  use: 'gate',
  reads: ['eval.assert', 'input', 'output', 'tool calls', 'errors', 'timing', 'tokens and cost'],
  evaluate(trace) {
    const value = trace.expectations.get('assert')
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (value === undefined || value === null || list.length === 0) {
      return notApplicable('The trace has no `eval.assert`.')
    }
    const work = newWork()
    const select = createSelect(trace, work)
    const issues: string[] = []
    const evidence: Evidence[] = []
    let [passed, total] = [0, 0]
    for (const [index, one] of list.slice(0, assertionsMax).entries()) {
      const assertion = parseAssertion(one)
      if (typeof assertion === 'string') {
        issues.push(`Assertion ${index + 1} is invalid: ${assertion}.`)
        total += 1
        continue
      }
      const { problem, at, ...outcome } = assertion.check(trace, select, work)
      total += assertion.weight
      if (outcome.passed) passed += assertion.weight
      else issues.push(`Assertion ${index + 1} failed (${assertion.label}): ${problem}.`)
      if (at?.span !== undefined && evidence.length < 20) evidence.push(quoteIn(at.span, at.value))
    }
    if (list.length > assertionsMax) {
      issues.push(`Only the first ${assertionsMax} of ${list.length} assertions were checked.`)
      total += 1
    }
    if (issues.length === 0) return scored(1, `All ${list.length} assertions pass.`)
    const reasoning = `${issues.length} of ${list.length} assertions do not pass. ${issues[0]}`
    return scored(passed / total, reasoning, { issues, evidence })
  },
}
