import { z } from 'zod'
import type { Evidence } from '../evaluator.ts'
import type { Block, Criterion, JudgeTask } from './judge.ts'

/*
 * Reads a judge's answer: verdicts as numbers, with those quotes that really occur.
 */

const verdict = z.union([
  z.enum(['yes', 'no', 'not_applicable']),
  z.boolean(),
  z.number().min(0).max(1),
])

/** The form that is requested of the model. Evidence comes before the verdict, because models decide by what they wrote. */
export const judgeAnswer = z.object({
  criteria: z.array(
    z.object({
      id: z.string(),
      evidence: z.array(z.object({ span_id: z.string(), quote: z.string() })),
      verdict,
    }),
  ),
  issues: z.array(z.string()),
  reasoning: z.string(),
})
export type JudgeAnswer = z.output<typeof judgeAnswer>

/** A verdict on one criterion. */
export interface Decision {
  readonly criterion: Criterion
  /** 0 to 1; null: not applicable. */
  readonly value: number | null
  /** Quotes that occur in the data of their span. */
  readonly evidence: readonly Evidence[]
}

export interface Judgement {
  readonly decisions: readonly Decision[]
  readonly issues: readonly string[]
  readonly reasoning: string
}

const listedMax = 100
const textMax = 2000

/** Undefined if the answer leaves out a criterion, or decides one in two ways. */
export function readAnswer(answer: JudgeAnswer, task: JudgeTask): Judgement | undefined {
  const decisions = decide(answer, task)
  if (decisions === undefined) return undefined
  const issues = answer.issues.map((issue) => issue.trim().slice(0, textMax)).filter(Boolean)
  return { decisions, issues, reasoning: answer.reasoning.trim().slice(0, textMax) }
}

function decide({ criteria }: JudgeAnswer, task: JudgeTask): Decision[] | undefined {
  const byId = Map.groupBy(criteria, ({ id }) => id.trim())
  const asked = task.criteria.length > 0 ? task.criteria : listed([...byId.keys()])
  // The only question cannot be meant by another name.
  const [onlyId] = asked.length === 1 && byId.size === 1 ? [...byId.keys()] : []
  const decisions: Decision[] = []
  for (const criterion of asked) {
    const given = byId.get(onlyId ?? criterion.id) ?? []
    const values = new Set(given.map((one) => valueOf(one.verdict)))
    const [value] = values
    if (values.size !== 1 || value === undefined) return undefined
    const evidence = given.flatMap((one) => one.evidence)
    decisions.push({ criterion, value, evidence: checkedQuotes(evidence, task.blocks) })
  }
  return decisions
}

function listed(ids: readonly string[]): Criterion[] {
  return ids.slice(0, listedMax).map((id) => ({ id, question: id }))
}

function valueOf(given: z.output<typeof verdict>): number | null {
  if (given === 'not_applicable') return null
  return given === 'yes' ? 1 : given === 'no' ? 0 : Number(given)
}

const quoteMax = 500

function checkedQuotes(
  evidence: JudgeAnswer['criteria'][number]['evidence'],
  blocks: readonly Block[],
): Evidence[] {
  return evidence.flatMap(({ span_id: spanId, quote }) => {
    const text = quote.trim().slice(0, quoteMax).toWellFormed()
    const isQuote =
      text !== '' &&
      blocks.some(({ segments }) =>
        segments.some((one) => one.spanId === spanId && one.text.includes(text)),
      )
    return isQuote ? [{ spanId, quote: text }] : []
  })
}
