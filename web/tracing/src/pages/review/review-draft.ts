import type { Score } from '@assay/contract/scores.ts'
import type { ReviewBody } from '../../api/review-queues.ts'

/*
 * A score as its reviewer enters it: five steps from 0 to 1, a verdict, and a comment.
 */

export interface ReviewDraft {
  /** Null until one is chosen. */
  readonly score: number | null
  readonly passed: boolean | null
  readonly reasoning: string
}

export const emptyDraft: ReviewDraft = { score: null, passed: null, reasoning: '' }

/** The keys of the steps, from bad to good. */
export const steps = [1, 2, 3, 4, 5] as const
export type ReviewStep = (typeof steps)[number]

export function toDraft(own: Score | undefined): ReviewDraft {
  if (own === undefined) return emptyDraft
  const { score, passed, reasoning } = own
  return { score, passed, reasoning }
}

export function toStepScore(step: ReviewStep): number {
  return (step - 1) / (steps.length - 1)
}

/** The verdict follows from the score. */
export function rate(draft: ReviewDraft, step: ReviewStep): ReviewDraft {
  const score = toStepScore(step)
  return { ...draft, score, passed: score >= 0.5 }
}

/** Keeps a score that has the same verdict. */
export function judge(draft: ReviewDraft, passed: boolean): ReviewDraft {
  const { score } = draft
  const isKept = score !== null && score >= 0.5 === passed
  return { ...draft, passed, score: isKept ? score : Number(passed) }
}

/** Undefined until a score is chosen. */
export function toReviewBody(draft: ReviewDraft, position: number): ReviewBody | undefined {
  const { score, passed, reasoning } = draft
  if (score === null || passed === null) return undefined
  return { position, score, passed, reasoning: reasoning.trim() }
}
