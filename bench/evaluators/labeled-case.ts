import { sampleView } from '../../server/src/domain/trace-view/trace-view.samples.ts'
import type { TraceView } from '../../server/src/domain/trace-view/trace-view.ts'
import type { Random } from '../../server/test/credential-samples.ts'

/*
 * Traces whose verdict is known, and the parts that several sets of them share.
 */

export interface LabeledCase {
  readonly text: string
  readonly trace: TraceView
  /** Whether the evaluator should find a fault. */
  readonly isFaulty: boolean
  /** Whether a simple method finds one, for comparison. */
  readonly isFoundSimply?: boolean
}

/** A question, results of tools, and the answer. */
export function answeredTrace(
  question: string,
  results: readonly unknown[],
  answer: string,
): TraceView {
  return sampleView([
    {
      kind: 'agent',
      input: { messages: [{ role: 'user', content: question }] },
      output: { text: answer },
    },
    ...results.map((output) => ({ kind: 'tool', name: 'find', input: {}, output })),
  ])
}

/** Both bounds are included. */
export function integer(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1))
}
