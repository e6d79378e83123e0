import { z } from 'zod'
import { plainSpanId } from './fenced-data.ts'
import type { Block, Criterion, Decision, JudgeTask } from './judge.ts'

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

export interface Judgement {
  readonly decisions: readonly Decision[]
  readonly issues: readonly string[]
  readonly reasoning: string
}

const listedMax = 100
const listedLengthMax = 300
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
    const evidence = given.flatMap((one) => one.evidence).slice(0, quotesMax)
    decisions.push(withQuotes(criterion, value, evidence, task))
  }
  return decisions
}

function listed(ids: readonly string[]): Criterion[] {
  return ids.slice(0, listedMax).map((id) => ({ id, question: id.slice(0, listedLengthMax) }))
}

function valueOf(given: z.output<typeof verdict>): number | null {
  if (given === 'not_applicable') return null
  return given === 'yes' ? 1 : given === 'no' ? 0 : Number(given)
}

function withQuotes(
  criterion: Criterion,
  value: number | null,
  given: JudgeAnswer['criteria'][number]['evidence'],
  { blocks, proofFrom }: JudgeTask,
): Decision {
  const quotes = given.flatMap((one) => findQuote(one, blocks) ?? [])
  const evidence = quotes.map(({ spanId, quote }) => ({ spanId, quote }))
  const proves = (name: string) => proofFrom === undefined || proofFrom.includes(name)
  const isProven =
    value === null ||
    (value < 0.5
      ? quotes.length > 0
      : proofFrom === undefined || quotes.some(({ blockNames }) => blockNames.some(proves)))
  return { criterion, value, evidence, isProven }
}

const quotesMax = 5
const quoteMax = 500

/** In the spelling of the span: models change the spacing of what they quote. */
function findQuote(
  given: { readonly span_id: string; readonly quote: string },
  blocks: readonly Block[],
) {
  const asked = given.quote.trim().slice(0, quoteMax).toWellFormed()
  if (asked === '') return undefined
  let found: { readonly spanId: string; readonly quote: string } | undefined
  const blockNames: string[] = []
  for (const { name, segments } of blocks) {
    for (const { spanId, text } of segments) {
      if (plainSpanId(spanId) !== plainSpanId(given.span_id)) continue
      const quote = text.includes(asked) ? asked : findSpaced(text, asked)
      if (quote === undefined) continue
      found ??= { spanId, quote }
      blockNames.push(name)
    }
  }
  return found && { ...found, blockNames }
}

/** The part of the text that has the same characters with other spaces. */
function findSpaced(text: string, asked: string): string | undefined {
  const sought = asked.replace(/\s+/g, ' ')
  const from = text.replace(/\s+/g, ' ').indexOf(sought)
  if (from === -1) return undefined
  const start = positionIn(text, from)
  return text.slice(start, positionIn(text, from + sought.length)).trim()
}

/** Of a character of the text whose spaces are single. */
function positionIn(text: string, index: number): number {
  let count = 0
  let at = 0
  while (count < index) {
    const isSpace = /\s/.test(text[at]!)
    at += 1
    while (isSpace && at < text.length && /\s/.test(text[at]!)) at += 1
    count += 1
  }
  return at
}
