import type { Verdict } from '../evaluator.ts'
import { notApplicable, scored } from '../verdicts.ts'
import { findGraderText } from './grader-text.ts'
import type { JudgeTask } from './judge.ts'
import { type Decision, type JudgeAnswer, type Judgement, readAnswer } from './judge-answer.ts'
import { type JudgePrompt, repairRequest, writePrompt } from './judge-prompt.ts'

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
  readonly kind:
    | 'timeout'
    | 'refused'
    | 'invalid_output'
    | 'provider_error'
    | 'context_too_long'
    | 'budget'
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
  task: JudgeTask,
  threshold: number,
  ask: AskJudge,
  nonce: string,
): Promise<JudgeVerdict> {
  const prompt = writePrompt(task, nonce)
  const graderText = findGraderText(task)
  const first = await sample(prompt, task, ask)
  if ('failure' in first) return failed(first.failure)
  const samples = [first]
  if (graderText !== undefined || isUncertain(first, threshold)) {
    const more = await Promise.all(
      Array.from({ length: samplesMax - 1 }, () => sample(prompt, task, ask)),
    )
    samples.push(...more.filter((one): one is Judgement => !('failure' in one)))
  }
  const decisions = vote(samples)
  const score = scoreOf(decisions)
  const confidence = samples.length === 1 ? undefined : agreement(samples, decisions)
  if (score === undefined) {
    return { verdict: notApplicable(first.reasoning || 'Nothing to judge.'), decisions, confidence }
  }
  const closest = samples.toSorted(
    (a, b) =>
      Math.abs((scoreOf(a.decisions) ?? 0) - score) - Math.abs((scoreOf(b.decisions) ?? 0) - score),
  )[0]!
  return {
    verdict: explain(score, threshold, closest, decisions, graderText?.text),
    decisions,
    confidence,
  }
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

/** Near the threshold, or with an objection that no quote proves. */
function isUncertain({ decisions }: Judgement, threshold: number): boolean {
  const score = scoreOf(decisions)
  if (score === undefined) return false
  const isUnproven = decisions.some(
    ({ value, evidence }) => value !== null && value < 0.5 && evidence.length === 0,
  )
  return isUnproven || Math.abs(score - threshold) <= closeToThreshold
}

/** The weighted mean of the criteria that apply. */
function scoreOf(decisions: readonly Decision[]): number | undefined {
  let sum = 0
  let weights = 0
  for (const { criterion, value } of decisions) {
    if (value === null) continue
    const { weight = 1 } = criterion
    sum += weight * value
    weights += weight
  }
  return weights === 0 ? undefined : sum / weights
}

/** Per criterion the median of the samples, or not applicable if most say so; with all quotes for it. */
function vote(samples: readonly Judgement[]): Decision[] {
  const [first] = samples
  if (samples.length === 1) return [...first!.decisions]
  return first!.decisions.map((own) => {
    const given = samples.flatMap(({ decisions }) =>
      decisions.filter(({ criterion }) => criterion.id === own.criterion.id),
    )
    const values = given.flatMap(({ value }) => value ?? []).sort((a, b) => a - b)
    const isMostlyNone = values.length * 2 < given.length
    const value = isMostlyNone ? null : (values[Math.floor(values.length / 2)] ?? null)
    const agreeing = given.filter((one) => isSame(one.value, value))
    return { ...own, value, evidence: agreeing.flatMap(({ evidence }) => evidence) }
  })
}

function isSame(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b
  return a >= 0.5 === b >= 0.5
}

function agreement(samples: readonly Judgement[], decisions: readonly Decision[]): number {
  const shares = decisions.map(({ criterion, value }) => {
    const given = samples.flatMap((one) =>
      one.decisions.filter((decision) => decision.criterion.id === criterion.id),
    )
    return given.filter((one) => isSame(one.value, value)).length / Math.max(given.length, 1)
  })
  return shares.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0) / shares.length
}

function explain(
  score: number,
  threshold: number,
  { reasoning, issues }: Judgement,
  decisions: readonly Decision[],
  graderText: string | undefined,
): Verdict {
  const note =
    graderText === undefined
      ? ''
      : ` The judged text addresses a grader ("${graderText}"); the verdict is that of ${samplesMax} samples.`
  const bad = decisions.filter(({ value }) => value !== null && value < 0.5)
  const objections = bad.map(({ criterion }) => `No: ${criterion.question}`)
  const isPassed = score >= threshold
  const shown = issues.length > 0 || isPassed ? issues : objections
  const proof = (bad.length > 0 ? bad : decisions).flatMap(({ evidence }) => evidence)
  const text = reasoning || (bad[0] === undefined ? 'All criteria are met.' : objections[0]!)
  return scored(score, text + note, { issues: shown, evidence: proof })
}
