import { withoutInstructions } from '@assay/contract/evaluations.ts'
import type { Verdict } from '../evaluator.ts'
import { isPassing, notApplicable, scored } from '../verdicts.ts'
import type { Decision, JudgeTask } from './judge.ts'
import { type JudgeAnswer, type Judgement, readAnswer } from './judge-answer.ts'
import { type JudgePrompt, type PreparedTask, repairRequest } from './judge-prompt.ts'
import { scoreOf } from './score.ts'
import { vote } from './vote.ts'

/*
 * Asks a judge: once, and twice more where one answer is not enough.
 */

/** Sends one request to the model, with the answer that could not be used and the request to repair it, if any. */
export type AskJudge = (
  prompt: JudgePrompt,
  repair?: { readonly unusable: string; readonly request: string },
) => Promise<JudgeReply>

export type JudgeReply =
  | { readonly answer: JudgeAnswer; readonly text: string }
  | { readonly failure: JudgeFailure; readonly text: string | null }

export interface JudgeFailure {
  readonly kind: 'timeout' | 'refused' | 'invalid_output' | 'provider_error' | 'budget'
  readonly message: string
}

export interface JudgeVerdict {
  readonly verdict: Verdict | { readonly status: 'error'; readonly reasoning: string }
  readonly decisions: readonly Decision[]
  /** How many of the samples agree on each criterion, on average; undefined for one sample. */
  readonly confidence: number | undefined
}

/** So close to the threshold, one sample decides by chance. */
const closeToThreshold = 0.1
const samplesMax = 3

export async function runJudge(
  { task, prompt, graderText, isCut }: PreparedTask,
  threshold: number,
  ask: AskJudge,
): Promise<JudgeVerdict> {
  const first = await sample(prompt, task, ask)
  if ('failure' in first) return failed(first.failure)
  const samples = [first]
  if (graderText !== undefined || isUncertain(first, task, threshold)) {
    const more = await Promise.all(
      Array.from({ length: samplesMax - 1 }, () => sample(prompt, task, ask)),
    )
    samples.push(...more.filter((one): one is Judgement => !('failure' in one)))
  }
  const { decisions, confidence } = vote(samples, task, threshold)
  const score = scoreOf(decisions, task.scoring)
  if (score === undefined) {
    return { verdict: notApplicable(first.reasoning || 'Nothing to judge.'), decisions, confidence }
  }
  const distance = (one: Judgement) =>
    Math.abs((scoreOf(vote([one], task, threshold).decisions, task.scoring) ?? 0) - score)
  const closest = samples.toSorted((a, b) => distance(a) - distance(b))[0]!
  const note = [
    ...(graderText === undefined ? [] : [noteOn(graderText, samples.length)]),
    ...(isCut ? [' The judge read the beginning and the end of long texts only.'] : []),
  ].join('')
  return { verdict: explain(score, threshold, closest, decisions, note), decisions, confidence }
}

function noteOn(graderText: string, count: number): string {
  const samples = count === 1 ? 'one sample' : `${count} samples`
  return ` The judged text addresses a grader ("${graderText}"); the verdict is that of ${samples}.`
}

async function sample(
  prompt: JudgePrompt,
  task: JudgeTask,
  ask: AskJudge,
): Promise<Judgement | { readonly failure: JudgeFailure }> {
  const reply = await ask(prompt)
  const judgement = 'answer' in reply ? readAnswer(reply.answer, task) : undefined
  if (judgement !== undefined) return judgement
  if ('failure' in reply && reply.failure.kind !== 'invalid_output') return reply
  const repaired = await ask(prompt, { unusable: reply.text ?? '', request: repairRequest })
  if ('failure' in repaired) return repaired
  const message = 'The judge left out a criterion or decided it in two ways.'
  return readAnswer(repaired.answer, task) ?? { failure: { kind: 'invalid_output', message } }
}

function failed({ kind, message }: JudgeFailure): JudgeVerdict {
  const verdict = { status: 'error' as const, reasoning: `${kind}: ${message}` }
  return { verdict, decisions: [], confidence: undefined }
}

/** Near the threshold, or with a verdict that no quote proves. */
function isUncertain({ decisions }: Judgement, task: JudgeTask, threshold: number): boolean {
  if (decisions.some(({ isProven }) => !isProven)) return true
  const score = scoreOf([...decisions, ...(task.decided ?? [])], task.scoring)
  return score !== undefined && Math.abs(score - threshold) <= closeToThreshold
}

function explain(
  score: number,
  threshold: number,
  { reasoning, issues }: Judgement,
  decisions: readonly Decision[],
  note: string,
): Verdict {
  const bad = decisions.filter(({ value }) => value !== null && value < 0.5)
  const isPassed = isPassing(score, threshold)
  const unmet = isPassed || bad.length > 0 ? bad : decisions.filter(isBelowFull)
  const answer = bad.length > 0 ? 'No' : 'Not fully'
  const objections = unmet.map(
    ({ criterion }) => `${answer}: ${criterion.subject ?? withoutInstructions(criterion.question)}`,
  )
  const shown = issues.length > 0 || isPassed ? issues : objections
  const proof = (bad.length > 0 ? bad : decisions).flatMap(({ evidence }) => evidence)
  const text = reasoning || (objections[0] ?? 'All criteria are met.')
  return scored(score, text + note, { issues: shown, evidence: proof })
}

function isBelowFull({ value }: Decision): boolean {
  return value !== null && value < 1
}
