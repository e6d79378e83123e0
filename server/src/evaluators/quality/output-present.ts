import type { Part } from '@assay/contract/message-parts.ts'
import type { DeterministicEvaluator } from '../evaluator.ts'
import { notApplicable, quoteText, scored } from '../verdicts.ts'

/** Texts of values that a program printed instead of an answer. */
const printedValues = new Set([
  'null',
  'undefined',
  'none',
  'nan',
  '[object object]',
  '{}',
  '[]',
  '""',
])
const stackTrace = /^\s*(?:Traceback \(most recent call last\)|\w*(?:Error|Exception): .*\n\s+at )/
const leakedMarkers =
  /<\|(?:im_start|im_end|endoftext|eot_id|assistant|user)\|>|\[\/?INST\]|\{\{\s*\w+\s*\}\}/

export const outputPresent: DeterministicEvaluator = {
  key: 'quality.output-present',
  name: 'Answer present',
  description:
    'The trace ends with an answer: not empty, not a printed value such as `null` or `[object Object]`, not a bare stack trace, and without markers of chat templates. Does not apply to a trace whose sender recorded no messages, or to a single model call that requests a tool.',
  threshold: 1,
  use: 'gate',
  reads: ['output'],
  evaluate({ output, root, modelCalls, status }) {
    if (output === undefined) {
      const last = modelCalls.at(-1)
      const isRecorded = modelCalls.some(
        ({ messages, response }) => messages.length + response.length > 0,
      )
      if (!isRecorded && status === 'OK' && modelCalls.length > 0)
        return notApplicable('The sender recorded no messages.')
      if (root?.kind === 'llm' && last?.response.some(({ parts }) => parts.some(isCall)) === true)
        return notApplicable('The trace is one model call, which requested a tool.')
      const evidence = root === undefined ? [] : [{ spanId: root.spanId, quote: root.name }]
      const reasoning = 'The trace has no answer.'
      return scored(0, reasoning, { issues: [reasoning], evidence })
    }
    const problem = findProblem(output.text)
    if (problem === undefined)
      return scored(1, `The answer has ${output.text.trim().length} characters.`)
    return scored(0, problem, { issues: [problem], evidence: [quoteText(output)] })
  },
}

function isCall({ is }: Part): boolean {
  return is === 'call'
}

function findProblem(text: string): string | undefined {
  const plain = text.trim()
  if (printedValues.has(plain.toLowerCase())) return `The answer is the printed value "${plain}".`
  if (stackTrace.test(plain)) return 'The answer is a stack trace.'
  const [marker] = leakedMarkers.exec(plain) ?? []
  return marker === undefined ? undefined : `The answer contains the template marker "${marker}".`
}
