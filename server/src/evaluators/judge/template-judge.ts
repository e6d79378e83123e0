import type { TraceView } from '../../domain/trace-view/trace-view.ts'
import type { NotApplicable } from '../evaluator.ts'
import { notApplicable } from '../verdicts.ts'
import { toBlock } from './blocks.ts'
import type { Block, JudgeTask, Segment } from './judge.ts'
import { traceSegments } from './trace-segments.ts'

/*
 * The judge of an evaluator that an organization wrote: its template is the instructions, and the values of its
 * placeholders are data.
 */

const valuesOf: Readonly<Record<string, (trace: TraceView) => readonly Segment[]>> = {
  trace: traceSegments,
  input: ({ input }) => (input === undefined ? [] : [input]),
  output: ({ output }) => (output === undefined ? [] : [output]),
}

/** A placeholder has no value: its block is empty. */
export interface WithoutValue extends NotApplicable {
  readonly blocks: readonly Block[]
}

const placeholder = /\{\{(trace|input|output)\}\}/g

export function prepareTemplate(template: string, trace: TraceView): JudgeTask | WithoutValue {
  const names = [...new Set([...template.matchAll(placeholder)].map(([, name]) => name!))]
  const blocks = names.map((name) => toBlock(name, valuesOf[name]!(trace)))
  const missing = blocks.find(({ segments }) => segments.length === 0)
  if (missing !== undefined) {
    return { ...notApplicable(`The trace has no ${missing.name}.`), blocks }
  }
  return {
    instructions: `Judge by this request of the evaluator's author:\n\n${template.replaceAll(placeholder, '(see $1)')}`,
    criteria: [
      {
        id: 'overall',
        question: 'Does the run meet the request above?',
        subject: 'Does the trace meet the prompt?',
      },
    ],
    blocks,
  }
}
