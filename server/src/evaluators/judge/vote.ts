import type { Decision, JudgeTask } from './judge.ts'
import type { Judgement } from './judge-answer.ts'
import { scoreOf } from './score.ts'

/*
 * One verdict from several samples of a judge.
 */

export interface Vote {
  readonly decisions: readonly Decision[]
  /** How many of the samples agree, on average over the criteria; undefined for one sample. */
  readonly confidence: number | undefined
}

export function vote(samples: readonly Judgement[], task: JudgeTask, threshold: number): Vote {
  const { decided = [] } = task
  const of = (decisions: readonly Decision[]) => [...requireProof(decisions, task), ...decided]
  const [first] = samples
  if (samples.length === 1) return { decisions: of(first!.decisions), confidence: undefined }
  return task.criteria.length === 0
    ? middleSample(
        samples.map(({ decisions }) => of(decisions)),
        task,
        threshold,
      )
    : voteByCriterion(samples, of)
}

/** A `yes` that needs a quote and has none is a `no`. */
function requireProof(decisions: readonly Decision[], { proofFrom }: JudgeTask): Decision[] {
  return decisions.map((one) =>
    proofFrom !== undefined && !one.isProven && one.value !== null ? { ...one, value: 0 } : one,
  )
}

/** Per criterion the median, of two the lower; not applicable if most samples say so; with all quotes for it. */
function voteByCriterion(
  samples: readonly Judgement[],
  of: (decisions: readonly Decision[]) => readonly Decision[],
): Vote {
  const shares: number[] = []
  const decisions = samples[0]!.decisions.map((own) => {
    const given = samples.flatMap((one) =>
      one.decisions.filter(({ criterion }) => criterion.id === own.criterion.id),
    )
    const values = given.flatMap(({ value }) => value ?? []).sort((a, b) => a - b)
    const isMostlyNone = values.length * 2 < given.length
    const value = isMostlyNone ? null : (values[Math.floor((values.length - 1) / 2)] ?? null)
    const agreeing = given.filter((one) => isSame(one.value, value))
    shares.push(agreeing.length / given.length)
    const evidence = agreeing.flatMap((one) => one.evidence)
    return { ...own, value, evidence, isProven: agreeing.some(({ isProven }) => isProven) }
  })
  return { decisions: of(decisions), confidence: mean(shares) }
}

function isSame(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b
  return a >= 0.5 === b >= 0.5
}

/** Samples list different criteria: the one with the median score counts, of two the lower. */
function middleSample(
  samples: readonly (readonly Decision[])[],
  { scoring }: JudgeTask,
  threshold: number,
): Vote {
  const scored = samples
    .map((decisions) => ({ decisions, score: scoreOf(decisions, scoring) }))
    .sort((a, b) => (a.score ?? 1) - (b.score ?? 1))
  const middle = scored[Math.floor((scored.length - 1) / 2)]!
  const outcome = (score: number | undefined) => score !== undefined && score >= threshold
  const agreeing = scored.filter(({ score }) => outcome(score) === outcome(middle.score))
  return { decisions: middle.decisions, confidence: agreeing.length / scored.length }
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((sum, one) => sum + one, 0) / values.length
}
